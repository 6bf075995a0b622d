"""Runs every scenario in the test machine: `main.py BLUEFLEET [SCENARIO…]`.

Writes one line of JSON per scenario to `scenarios.jsonl`: its name, its duration and, after a failure, the reason and
the recorded events; for a skipped scenario the reason.
"""

import asyncio
import json
import logging
import platform
import sys
import time
import traceback
from pathlib import Path

import scenarios  # noqa: F401 - fills SCENARIOS
from machine import Machine
from scenario import SCENARIOS, NotSupported, Scenario
from system import bluetoothd_version

RESULTS = Path("/run/results")
LOGS = ["bridge.log", "bluetoothd.log", "attic.log", "cellar.log", "porch.log"]
# The number of lines of each log in a failure.
SHOWN = 60


def title(scenario: Scenario) -> str:
    return scenario.__name__.replace("_", " ")


async def main(executable: Path, chosen: list[str]) -> int:
    machine = Machine(RESULTS, executable)
    await machine.start()
    versions = f"bluetoothd {await bluetoothd_version()}, Linux {platform.release()}, {platform.machine()}"
    print(f"up     {time.monotonic():6.1f} s  {versions}", flush=True)
    failures, file, has_failed = 0, "", False
    with (RESULTS / "scenarios.jsonl").open("w", buffering=1) as results:
        for scenario in SCENARIOS:
            if chosen and title(scenario) not in chosen:
                continue
            if scenario.__module__ != file:
                if has_failed:
                    await machine.clean_up()
                file, has_failed = scenario.__module__, False
            begin, watch = time.monotonic(), Watch(machine)
            failure = skipped = ""
            try:
                await asyncio.wait_for(perform(scenario, machine), 240)
            except NotSupported as reason:
                skipped = str(reason)
            except Exception as error:
                failures, has_failed = failures + 1, True
                failure = f"{describe(error)}\n{watch.seen()}"
            seconds = round(time.monotonic() - begin, 1)
            outcome = "failed" if failure else "ok"
            note = f", skipped: {skipped}" if skipped else ""
            print(f"{outcome:6} {seconds:6.1f} s  {title(scenario)}{note}", flush=True)
            line = {"name": title(scenario), "seconds": seconds, "failure": failure, "skipped": skipped}
            print(json.dumps(line), file=results)
    return failures


async def perform(scenario: Scenario, machine: Machine) -> None:
    """Runs a scenario; if bluetoothd ends, the scenario fails and bluetoothd is started again, as systemd does."""
    assert not (machine.bridge and machine.bridge.has_ended), "the bridge has ended"
    if machine.bluetoothd.has_ended:
        await machine.start_bluetoothd()
    await scenario(machine)
    assert not machine.bluetoothd.has_ended, f"bluetoothd has ended: {machine.bluetoothd.process.returncode}"


def describe(error: Exception) -> str:
    """The failed assertion with its place; any other error with all its frames."""
    if isinstance(error, AssertionError):
        place = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
        return f"{error}\n{' > '.join(place[1:])}"
    return "".join(traceback.format_exception(error))


class Watch:
    """The events and logs of one scenario."""

    def __init__(self, machine: Machine):
        self.machine = machine
        self.journal = machine.journal.mark()
        self.broker = machine.broker.mark()
        self.logs = {name: self._size(name) for name in LOGS}

    def seen(self) -> str:
        parts = {
            "events of the peripherals": "\n".join(map(str, self.machine.journal.entries[self.journal :])),
            "publications": "\n".join(map(str, self.machine.broker.entries[self.broker :])),
        }
        for name, begin in self.logs.items():
            if self._size(name) > begin:
                parts[name] = (RESULTS / name).read_bytes()[begin:].decode(errors="replace").rstrip()
        return "".join(f"\n--- {name}\n{end(text)}\n" for name, text in parts.items())

    def _size(self, name: str) -> int:
        return (RESULTS / name).stat().st_size if (RESULTS / name).exists() else 0


def end(text: str) -> str:
    """The last lines; the files in the results contain all lines."""
    lines = text.split("\n")
    return "\n".join([f"({len(lines) - SHOWN} lines more)", *lines[-SHOWN:]] if len(lines) > SHOWN else lines)


logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(message)s")
sys.exit(1 if asyncio.run(main(Path(sys.argv[1]), sys.argv[2:])) else 0)
