"""Measures Bluefleet inside the test machine, for an architecture that the benchmark's host does not have:

    export BLUEFLEET_MACHINE_ROOT=TREE               # a root of machine/tree
    chroot TREE apt-get install valgrind
    Tests/RealBlueZTests/machine/boot RESULTS python $PWD/Tests/Benchmark/emulated.py PROGRAM

`bluefleet simulate` takes the place of bluetoothd. Prints the memory with 10, 200 and 1,000 devices, the start with 50
devices, and the instructions of one notification, counted by callgrind.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

PROGRAM = sys.argv[1]
PORT = 18830
WORK = Path(tempfile.mkdtemp())


def address(number: int) -> str:
    return f"C0:00:00:01:{number >> 8:02X}:{number & 255:02X}"


def fleet(devices: int, interval: str) -> str:
    # At most 200 advertisements per second: more keep an emulated processor busy.
    return f"""\
adapters: {{hci0: {{address: "00:00:5E:00:53:01", connections: {devices}}}}}
peripherals:
  sensor:
    address: {address(0)}
    copies: {devices}
    advertise: {{every: {max(200, 5 * devices)}ms}}
    pace: {{connect: 5ms, resolve: 5ms, read: 1ms}}
    services:
      - uuid: 181A
        characteristics:
          - {{uuid: temperature, flags: [read, notify], value: 21.53, notify: {interval}}}
"""


def configuration(devices: int) -> str:
    entries = "".join(
        f"  d{number}: {{address: '{address(number)}', connect: always, "
        "characteristics: {t: {service: 181A, uuid: 2A6E, subscribe: true}}}\n"
        for number in range(devices)
    )
    return f"""\
gateway: measured
state_directory: {WORK}/state
mqtt: {{url: "mqtt://127.0.0.1:{PORT}"}}
home_assistant: {{discovery: none}}
devices:
{entries}"""


class House:
    """A simulated fleet, a bridge, and the readings that arrive at a subscriber."""

    def __init__(self, devices: int, interval: str, wrapper: list[str] | None = None):
        shutil.rmtree(WORK / "state", ignore_errors=True)
        (WORK / "fleet.yaml").write_text(fleet(devices, interval))
        (WORK / "bridge.yaml").write_text(configuration(devices))
        self.simulator = subprocess.Popen([PROGRAM, "simulate", WORK / "fleet.yaml"], stdout=subprocess.PIPE, text=True)
        bus = self.simulator.stdout.readline().strip()
        self.subscriber = subprocess.Popen(
            ["mosquitto_sub", "-p", str(PORT), "-t", "bluefleet/+/t", "-F", "%t"], stdout=subprocess.PIPE, text=True
        )
        self.begin = time.monotonic()
        command = [*(wrapper or []), PROGRAM, "run", "--config", WORK / "bridge.yaml", "--bus", bus]
        with (WORK / "log").open("w") as log:
            self.bridge = subprocess.Popen(command, stderr=log, stdout=log)
        # No reading arrives after the end of the bridge: do not wait for one.
        threading.Thread(target=lambda: (self.bridge.wait(), self.subscriber.terminate()), daemon=True).start()

    def wait_for_all(self, devices: int) -> float:
        """Waits for a reading of each device; returns the seconds since the start of the bridge."""
        seen: set[str] = set()
        while len(seen) < devices:
            seen.add(self.next_topic())
        return time.monotonic() - self.begin

    def wait_for(self, readings: int) -> None:
        for _ in range(readings):
            self.next_topic()

    def next_topic(self) -> str:
        """Waits for a reading and returns its topic."""
        topic = self.subscriber.stdout.readline()
        if not topic:
            sys.exit("emulated.py: the bridge or mosquitto_sub has ended:\n" + (WORK / "log").read_text())
        return topic

    def memory(self) -> float:
        """The resident memory of the bridge in MB."""
        status = Path(f"/proc/{self.bridge.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) * 1024 / 1e6

    def end(self) -> None:
        for program in (self.bridge, self.simulator, self.subscriber):
            program.terminate()
            program.wait()


def instructions(readings: int) -> int:
    """The instructions of a bridge with one device that ends after some readings."""
    profile = WORK / "callgrind.out"
    house = House(1, "50ms", ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}"])
    house.wait_for(readings)
    house.end()
    return int(re.search(r"^(?:totals|summary): (\d+)", profile.read_text(), re.MULTILINE)[1])


def measure_memory(devices: int) -> None:
    house = House(devices, "10s")
    house.wait_for_all(devices)
    # The memory of the start is returned to the system within seconds.
    time.sleep(10)
    print(f"resident memory with {devices} devices: {house.memory():.1f} MB", flush=True)
    house.end()


def main() -> None:
    (WORK / "mosquitto.conf").write_text(f"listener {PORT} 127.0.0.1\nallow_anonymous true\nlog_type none\n")
    broker = subprocess.Popen(["/usr/sbin/mosquitto", "-c", WORK / "mosquitto.conf"])
    time.sleep(2)
    print(f"stripped program: {Path(PROGRAM).stat().st_size / 1e6:.1f} MB", flush=True)
    measure_memory(10)
    house = House(50, "1s")
    print(f"start until 50 devices are subscribed: {house.wait_for_all(50) * 1000:.0f} ms", flush=True)
    house.end()
    few, many = 100, 500
    each = (instructions(many) - instructions(few)) / (many - few)
    print(f"instructions per notification: {each:.0f}", flush=True)
    # The large fleets come last: an emulated machine takes minutes for them.
    measure_memory(200)
    measure_memory(1000)
    broker.terminate()


main()
