"""The part of Tests/PowerCuts in the virtual machine: `power_cuts.py PROGRAM SEED rounds|last`.

The bridge keeps its state on the disk /dev/vda, below the device mapper. `rounds` disturbs this disk until the host kills
the machine; `last` waits until everything that is stored has arrived. `journal` in the results has one line of JSON
for each event, with the clock of this machine.
"""

import contextlib
import datetime
import fcntl
import json
import os
import random
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import threading
import time

RESULTS, MOUNTED, PORT, COUNT = "/run/results", "/mnt", 1883, 10_000
DATABASE = f"{MOUNTED}/state/spool/spool.db"
# Faults of the device mapper's target `flakey`.
DROP, ERRORS = "1 drop_writes", "1 error_writes"
FLEET = f"""
adapters: {{hci0: {{address: "00:00:5E:00:53:01"}}}}
peripherals:
  sensor:
    address: C0:00:00:00:00:01
    services:
      - uuid: 181A
        characteristics:
          - {{uuid: temperature, flags: [read, notify], value: {{list: {[n / 100 for n in range(COUNT)]}}}, notify: 500ms}}
"""
CONFIGURATION = f"""
gateway: attic
state_directory: {MOUNTED}/state
mqtt: {{url: "mqtt://127.0.0.1:{PORT}"}}
home_assistant: {{discovery: none}}
spool: {{keep: all, sync: 1s}}
devices:
  sensor:
    address: C0:00:00:00:00:01
    characteristics: {{temperature: {{service: 181A, uuid: 2A6E, subscribe: true}}}}
"""
# Held while the disk changes, and while the database is read.
disk = threading.Lock()
journal = os.open(f"{RESULTS}/journal", os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def note(what, **details):
    """Writes a line to the journal of the host at once."""
    os.write(journal, (json.dumps({"what": what, "at": round(time.time(), 3), **details}) + "\n").encode())


def run(*command):
    """Runs a command; the output of a failure goes to the output of the machine."""
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        print(*command, result.returncode, result.stdout, result.stderr, flush=True)
    return result.returncode == 0


def text(seconds):
    """Returns a time as in the payloads, in whole seconds."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


def wait(condition, limit=120):
    """Waits for a condition; returns False after `limit` seconds."""
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


class Broker:
    """A broker of MQTT 5 that writes each message to the journal before it accepts it, and that can be away."""

    def __init__(self):
        self.connections, self.listener, self.newest = [], None, ""

    def set_up(self, is_up):
        if is_up and self.listener is None:
            self.listener = socket.create_server(("127.0.0.1", PORT))
            threading.Thread(target=self.listen, args=[self.listener], daemon=True).start()
        elif not is_up and self.listener is not None:
            for each in [self.listener, *self.connections]:
                try:
                    each.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                each.close()
            self.listener, self.connections = None, []

    def listen(self, listener):
        try:
            while True:
                connection, _ = listener.accept()
                self.connections.append(connection)
                threading.Thread(target=self.serve, args=[connection], daemon=True).start()
        except OSError:
            pass

    def serve(self, connection):
        try:
            with connection, connection.makefile("rb") as stream:
                while first := stream.read(1):
                    size, shift = 0, 0
                    while True:
                        byte = stream.read(1)[0]
                        size |= (byte & 127) << shift
                        shift += 7
                        if byte < 128:
                            break
                    if reply := self.reply(first[0], stream.read(size)):
                        connection.sendall(reply)
        except (OSError, IndexError, ValueError):
            pass

    def reply(self, header, body):
        match header >> 4:
            case 1:  # CONNECT
                return b"\x20\x03\x00\x00\x00"
            case 3:
                return self.published(header >> 1 & 3, body)
            case 8 | 10 as kind:  # SUBSCRIBE, UNSUBSCRIBE: one result for each topic
                place, topics = 3 + body[2], 0
                while place < len(body):
                    place += 2 + int.from_bytes(body[place : place + 2]) + (kind == 8)
                    topics += 1
                return bytes([header + 14, 3 + topics]) + body[:2] + bytes(1 + topics)
            case 12:  # PINGREQ
                return b"\xd0\x00"

    def published(self, qos, body):
        end = 2 + int.from_bytes(body[:2])
        topic, identifier = body[2:end].decode(), body[end : end + 2]
        end += 2 if qos > 0 else 0
        length, shift = 0, 0
        while True:
            byte, end = body[end], end + 1
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        payload = body[end + length :]
        if topic.endswith("sensor/temperature") and payload:
            try:
                value = json.loads(payload)
                datetime.datetime.fromisoformat(value["time"])
                note("late" if "/late/" in topic else "live", value={**value, "value": float(value["value"])})
                self.newest = max(self.newest, value["time"])
            except (ValueError, KeyError, TypeError):
                # Rot is only noticed where it makes the database or the JSON invalid.
                note("unreadable", payload=repr(payload))
        elif topic.endswith("/event"):
            note("event", value=json.loads(payload))
        return b"\x40\x02" + identifier if qos > 0 else None


class Disk:
    """The disk with the state folder. Its faults are those of the device mapper's target `flakey`."""

    def __init__(self):
        self.sectors = int(subprocess.check_output(["blockdev", "--getsz", "/dev/vda"]))
        run("dmsetup", "create", "state", "--table", self.table())

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

    def mount(self):
        if not run("mount", "/dev/mapper/state", MOUNTED):
            note("problem", text="the file system cannot be mounted")
            os._exit(1)

    def unmount(self):
        wait(lambda: run("umount", MOUNTED), 20)


class Bridge:
    """The bridge with its log, which the results keep."""

    def __init__(self, program, bus, broker):
        self.program, self.bus, self.broker, self.process = program, bus, broker, None
        self.log = open(f"{RESULTS}/bridge", "a")

    def start(self):
        """Starts the bridge, and waits for its first value: on the disk, or at the broker."""
        begin, before = time.time(), (stored(), self.broker.newest)
        self.place = os.path.getsize(f"{RESULTS}/bridge")
        self.process = subprocess.Popen(
            [self.program, "run", "/tmp/bluefleet.yaml", "--bus", self.bus], stdout=self.log, stderr=self.log
        )
        if wait(lambda: (stored(), self.broker.newest) != before or self.has_ended()) and not self.has_ended():
            note("session", seconds=round(time.time() - begin, 1))
        else:
            note("problem", text="the bridge does not start" if self.has_ended() else "no value within 120 s of the start")

    def has_ended(self):
        return self.process.poll() is not None

    def has_logged(self, text):
        with open(f"{RESULTS}/bridge") as log:
            log.seek(self.place)
            return text in log.read()

    def expect(self, condition, text):
        if not wait(lambda: condition() or self.has_ended()):
            note("problem", text=text)
        if self.has_ended():
            note("problem", text=f"the bridge has ended with {self.process.returncode}")

    def stop(self, how):
        self.process.send_signal(how)
        self.process.wait()


def database(query):
    """Returns the first number of a query of the stored messages; None if there is none."""
    try:
        with disk:
            connection = sqlite3.connect(f"file:{DATABASE}?mode=ro", uri=True)
            try:
                return (connection.execute(query).fetchone() or [None])[0]
            finally:
                connection.close()
    except sqlite3.Error:
        return None


def stored():
    """The time of the newest stored value, in milliseconds."""
    return database("SELECT time FROM records WHERE topic = 'sensor/temperature' ORDER BY id DESC LIMIT 1")


class Machine:
    """The disk, the broker and the bridge, with all faults."""

    def __init__(self, program):
        for name, text in [("fleet", FLEET), ("bluefleet", CONFIGURATION)]:
            with open(f"/tmp/{name}.yaml", "w") as file:
                file.write(text)
        self.disk, self.broker, self.is_real = Disk(), Broker(), True
        # Held while the broker is there, and by the faults that decide themselves about the broker.
        self.turn = threading.Lock()
        simulation = subprocess.Popen([program, "simulate", "/tmp/fleet.yaml"], stdout=subprocess.PIPE, text=True)
        self.bridge = Bridge(program, simulation.stdout.readline().strip(), self.broker)
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
        begin = text(time.time())
        self.broker.set_up(True)
        self.bridge.expect(lambda: self.broker.newest > begin, "nothing arrives while the disk fails")
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
# Without udev, dmsetup creates the files in /dev/mapper by itself.
os.environ["DM_DISABLE_UDEV"] = "1"
random.seed(seed)
note("boot", uptime=float(open("/proc/uptime").read().split()[0]))
machine = Machine(program)
getattr(machine, mode)()
