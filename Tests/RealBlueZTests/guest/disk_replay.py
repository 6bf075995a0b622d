"""The part of Tests/DiskReplay in the virtual machine: `disk_replay.py PROGRAM SEED SECONDS`.

The bridge keeps its state on the disk /dev/vda, and the device mapper's target `log-writes` records each write on the disk
/dev/vdb. Twice a second a mark is written to this record: each message that is stored at this moment must be on the disk
from there on, until the broker has it. `journal` in the results has one line of JSON for each mark, with these messages,
and for each message that the broker received.
"""

import itertools
import random
import signal
import subprocess
import sys
import threading
import time

from outage import RESULTS, Bridge, Broker, Disk, Journal, rows, run


class RecordedDisk(Disk):
    """A disk that records its writes."""

    def __init__(self, journal):
        super().__init__(journal)
        self.numbers = itertools.count(1)
        # Held while a mark is written.
        self.turn = threading.Lock()
        self.is_recording = True

    def table(self):
        return f"0 {self.sectors} log-writes /dev/vda /dev/vdb"

    def mark(self):
        """Writes a mark. The messages are read before it, and its line follows it: whatever was removed from the disk
        before the mark was received in an earlier line. A message that the bridge is still writing may be lost."""
        with self.turn:
            last = bridge.last_stored()
            messages = rows(
                "SELECT id, name, CAST(payload AS TEXT), time FROM records JOIN topics ON topic = number "
                f"WHERE id <= {last}")
            if messages is None or not self.is_recording:
                return
            number = next(self.numbers)
            run("dmsetup", "message", "state", "0", "mark", str(number))
            self.note("mark", number=number, messages=messages)

    def mark_again_and_again(self):
        while self.is_recording:
            self.mark()
            time.sleep(0.5)

    def end(self):
        """Ends the record: its last writes are only in it after this."""
        with self.turn:
            self.is_recording = False
        self.unmount()
        if "logging_disabled" in subprocess.check_output(["dmsetup", "status", "state"], text=True):
            self.note("problem", text="the disk for the record is full")
        run("dmsetup", "remove", "state")


def record(seconds):
    """Lets the broker be away most of the time, and kills the bridge while it stores and while it sends."""
    threading.Thread(target=disk.mark_again_and_again, daemon=True).start()
    bridge.start()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for is_up, limit in [(False, 20), (True, 4)]:
            broker.set_up(is_up)
            time.sleep(random.uniform(0, limit))
            if random.random() < 0.4:
                bridge.stop(signal.SIGKILL)
                disk.note("kill")
                bridge.start()
    disk.mark()
    bridge.stop(signal.SIGTERM)
    disk.end()


program, seed, duration = sys.argv[1:]
random.seed(seed)
journal = Journal(f"{RESULTS}/journal")
disk, broker = RecordedDisk(journal), Broker(journal)
disk.mount()
bridge = Bridge(program, broker, journal)
record(float(duration))
