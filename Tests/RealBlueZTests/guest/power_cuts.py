"""The part of Tests/PowerCuts in the virtual machine: `power_cuts.py PROGRAM SEED rounds|last`.

The bridge keeps its state on the disk /dev/vda, below the device mapper. `rounds` disturbs this disk until the host kills
the machine; `last` waits until everything that is stored has arrived. `journal` in the results has one line of JSON
for each event, with the clock of this machine.
"""

import contextlib
import fcntl
import os
import random
import signal
import struct
import subprocess
import sys
import threading
import time

from outage import DATABASE, RESULTS, Bridge, Broker, Disk, Journal, database, disk, run, stored, text

# Faults of the device mapper's target `flakey`.
DROP, ERRORS = "1 drop_writes", "1 error_writes"


class FaultyDisk(Disk):
    """A disk with the faults of the device mapper's target `flakey`."""

    def table(self, fault="", sectors=None):
        """Returns the table with a fault of `sectors`, a list of (first, count); None: of the whole disk."""
        lines, place = [], 0
        for first, count in sorted(sectors or [(0, self.sectors)] if fault else []):
            lines += self.linear(place, first)
            # Down for 600 s, up for 0 s.
            lines.append(f"{first} {count} flakey /dev/vda {first} 0 600 {fault}")
            place = first + count
        return "\n".join(lines + self.linear(place, self.sectors)) + "\n"

    def linear(self, first, end):
        return [f"{first} {end - first} linear /dev/vda {first}"] if end > first else []

    def load(self, table):
        # Nothing is flushed: a power cut does not wait for the file system.
        run("dmsetup", "suspend", "--noflush", "--nolockfs", "state")
        subprocess.run(["dmsetup", "load", "state"], input=table, text=True)
        run("dmsetup", "resume", "state")

    def sectors_of(self, *paths):
        """Returns the places of files on the disk, for `table`."""
        found = []
        for path in paths:
            if not os.path.exists(path):
                continue
            with open(path, "rb") as file:
                for index in range(-(-os.path.getsize(path) // 4096)):
                    block = struct.unpack("i", fcntl.ioctl(file, 1, struct.pack("i", index)))[0]  # FIBMAP
                    if block:
                        found.append((block * 8, 8))
        return found


class Machine:
    """The disk, the broker and the bridge, with all faults."""

    def __init__(self, program):
        self.disk, self.broker, self.is_real = FaultyDisk(journal), Broker(journal), True
        # Held while the broker is there, and by the faults that decide themselves about the broker.
        self.turn = threading.Lock()
        self.bridge = Bridge(program, self.broker, journal)
        self.disk.mount()
        threading.Thread(target=self.beat, daemon=True).start()

    def beat(self):
        """Notes the time, and which values are on the disk: they must survive a cut that follows."""
        while True:
            newest = stored()
            with disk:
                note("beat", stored=newest if self.is_real else None)
            time.sleep(0.2)

    def set_real(self, is_real):
        """Notes whether the disk stores what it accepts. The caller holds `disk`."""
        self.is_real = is_real
        note("disk", is_real=is_real)

    def fail(self, table):
        with disk:
            self.set_real(False)
            self.disk.load(table)

    def is_current(self):
        """Whether the broker has a value of the last 3 s and nothing is stored."""
        return self.broker.newest > text(time.time() - 3) and not database("SELECT COUNT(*) FROM records")

    def cut(self):
        """Drops all writes from now on, as a power cut does, and starts again with what the disk has."""
        note("cut", kind="cut")
        self.fail(self.disk.table(DROP))
        self.bridge.stop(signal.SIGKILL)
        note("end")
        self.start_again()

    def start_again(self, check=False):
        with disk:
            self.disk.unmount()
            self.disk.load(self.disk.table())
            if check:
                # 1: corrected.
                subprocess.run(["e2fsck", "-f", "-y", "/dev/mapper/state"], stdout=subprocess.DEVNULL)
            self.disk.mount()
            self.set_real(True)
        self.bridge.start()

    def errors(self):
        """Each write fails: the file system becomes read-only. Values wait in memory and are sent from there."""
        self.broker.set_up(False)
        self.fail(self.disk.table(ERRORS))
        self.bridge.expect(lambda: self.bridge.has_logged("cannot be stored"), "the bridge does not report the disk's errors")
        time.sleep(random.uniform(0, 5))
        begin, is_empty = text(time.time()), not database("SELECT COUNT(*) FROM records")
        self.broker.set_up(True)
        self.bridge.expect(lambda: self.broker.newest > begin, "nothing arrives while the disk fails")
        # The messages in memory follow those on the disk.
        self.bridge.expect(
            lambda: is_empty or self.bridge.has_logged("all late messages are sent"),
            "the stored messages do not arrive while the disk fails")
        time.sleep(5)
        note("cut", kind="errors")
        self.bridge.stop(signal.SIGTERM)
        self.broker.set_up(False)
        note("end")
        self.start_again(check=True)

    def bad_blocks(self):
        """Writes to the database fail for a time: the same bridge stores its messages again afterwards."""
        self.broker.set_up(False)
        self.bridge.expect(lambda: stored() is not None, "nothing is stored")
        sectors = self.disk.sectors_of(DATABASE, f"{DATABASE}-wal")
        self.fail(self.disk.table(ERRORS, sectors))
        self.bridge.expect(lambda: self.bridge.has_logged("cannot be stored"), "the bridge does not report bad blocks")
        time.sleep(random.uniform(0, 5))
        self.disk.load(self.disk.table())
        self.bridge.expect(lambda: self.bridge.has_logged("are stored again"), "the bridge does not store messages again")
        with disk:
            self.set_real(True)

    def rot(self):
        """A byte of the database changes, often one of the first eight of a block, which describe the block."""
        self.broker.set_up(False)
        self.bridge.expect(lambda: stored() is not None, "nothing is stored")
        self.bridge.stop(signal.SIGTERM)
        first, _ = random.choice(self.disk.sectors_of(DATABASE))
        oldest = database("SELECT MIN(time) FROM records")
        note("cut", kind="rot", oldest=oldest)
        note("end")
        with disk:
            self.disk.unmount()
            with open("/dev/mapper/state", "r+b") as device:
                device.seek(first * 512 + random.choice([random.randrange(8), random.randrange(4096)]))
                device.write(b"U")
                device.flush()
                os.fsync(device.fileno())
            self.disk.mount()
        self.bridge.start()

    def rounds(self):
        threading.Thread(target=self.toggle_broker, daemon=True).start()
        self.bridge.start()
        others = [self.errors, self.bad_blocks, self.rot]
        fault = random.choice(others)
        while True:
            time.sleep(random.uniform(0, 8))
            with contextlib.nullcontext() if fault == self.cut else self.turn:
                fault()
            note("fault", name=fault.__name__)
            fault = random.choice([self.cut] * 4 + others)

    def toggle_broker(self):
        while True:
            time.sleep(random.uniform(5, 30))
            with self.turn:
                self.broker.set_up(True)
                time.sleep(random.uniform(0, 6))
                self.broker.set_up(False)

    def last(self):
        self.broker.set_up(True)
        self.bridge.start()
        self.bridge.expect(self.is_current, "messages still wait after 120 s")
        self.bridge.stop(signal.SIGTERM)
        self.disk.unmount()


program, seed, mode = sys.argv[1:]
random.seed(seed)
journal = Journal(f"{RESULTS}/journal")
note = journal.note
note("boot", uptime=float(open("/proc/uptime").read().split()[0]))
machine = Machine(program)
getattr(machine, mode)()
