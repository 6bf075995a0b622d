"""The programs behind the page: a simulated bluetoothd, a broker, a bridge and a dashboard."""

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))

import rig  # noqa: E402
from fleet import FLEET, configuration  # noqa: E402
from night import write_night  # noqa: E402

BUILT = Path(rig.BUILT)


def chromium():
    """Returns the path of Debian's chromium; playwright would download a browser of its own."""
    path = shutil.which("chromium")
    if not path:
        sys.exit("chromium is not installed: run config/setup --tests")
    return path


class House:
    """The programs, all of them on loopback ports of their own; `folder` stays and has their files and logs."""

    def __init__(self, folder, programs=BUILT, fleet=FLEET, settings=configuration, dashboard=""):
        self.run = rig.Run("page", str(programs / "bluefleet"), str(folder))
        self.page_program = str(programs / "bluefleet-dashboard")
        self.broker_port, self.page_port = rig.free_port(), rig.free_port()
        self.fleet, self.settings, self.dashboard_keys = fleet, settings, dashboard
        self.bridge = self.page = None

    def start(self):
        """Starts everything; the page answers afterwards."""
        self.broker = self.run.start_broker(self.broker_port, "max_queued_messages 100000")
        self.bus = self.run.start_simulator(self.fleet)
        self.start_page()
        self.start_bridge()

    def write_night(self):
        """Gives the dashboard a history of 24 hours, before its start."""
        self.run.make_folder("dashboard")
        write_night(self.run.path("dashboard/history.db"))

    def start_bridge(self):
        settings = self.settings(self.run.path("state"), self.broker_port)
        self.bridge = self.run.start_bridge(settings, self.bus)

    @contextlib.contextmanager
    def another_gateway(self, name, fleet, settings):
        """Runs one more bridge on the same broker, with a simulated bluetoothd of its own; the value is the bridge."""
        simulator = self.run.start(
            self.run.program, "simulate", self.run.write(f"{name}-fleet.yaml", fleet), output=subprocess.PIPE)
        bus = simulator.process.stdout.readline().strip()
        file = self.run.write(f"{name}.yaml", settings(self.run.path(f"state-{name}"), self.broker_port, name))
        bridge = self.run.start(self.run.program, "run", file, "--bus", bus, log=self.run.path(f"{name}.log"))
        try:
            yield bridge
        finally:
            bridge.stop()
            simulator.kill()

    def start_page(self):
        self.page = self._start_page("dashboard", self.page_port, self.dashboard_keys)

    @contextlib.contextmanager
    def another_page(self, keys):
        """Runs one more dashboard on the same broker; the value is its address, which ends with the port and a slash."""
        port = rig.free_port()
        page = self._start_page("another", port, keys)
        try:
            yield f"http://127.0.0.1:{port}/"
        finally:
            page.kill()

    def _start_page(self, name, port, keys):
        own = f"listen: 127.0.0.1:{port}, history_directory: {self.run.path(name)}"
        section = ", ".join(filter(None, [own, keys]))
        text = f'mqtt: {{url: "mqtt://127.0.0.1:{self.broker_port}"}}\ndashboard: {{{section}}}\n'
        log = self.run.path(f"{name}.log")
        page = self.run.start(self.page_program, "--config", self.run.write(f"{name}.yaml", text), log=log)

        def is_ready():
            assert not page.has_ended, f"the page has ended: {open(log).read()}"
            return rig.answers(port)

        assert rig.wait(is_ready), f"the page does not start: {open(log).read()}"
        return page

    @property
    def address(self):
        return f"http://127.0.0.1:{self.page_port}/"

    def logs(self):
        """Returns the last lines of the logs."""
        parts = []
        for name in ("bridge.log", "dashboard.log"):
            path = self.run.path(name)
            if os.path.exists(path):
                lines = open(path, errors="replace").read().splitlines()[-30:]
                parts += [f"--- {name}", *lines]
        return "\n".join(parts)

    def stop(self):
        self.run.kill_programs()
