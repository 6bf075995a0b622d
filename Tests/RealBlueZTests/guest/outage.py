"""An outage of the broker: a bridge whose state folder has a file system of its own, a device that counts, and a broker
that can be away. Tests/PowerCuts and Tests/DiskReplay use it in the virtual machine, Tests/DiskReplay also outside.
"""

import datetime
import json
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

sys.path.append(os.path.realpath(f"{__file__}/../../.."))
from rig import COUNTING_FLEET, counting_configuration, wait

RESULTS, MOUNTED, PORT = "/run/results", "/mnt", 1883
STATE = f"{MOUNTED}/state"
DATABASE = f"{STATE}/spool/spool.db"

# Held while the disk changes, and while the database is read.
disk = threading.Lock()


class Journal:
    """A file with a line of JSON for each event, written at once, and complete when `note` returns."""

    def __init__(self, path):
        self.file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def note(self, what, **details):
        os.write(self.file, (json.dumps({"what": what, "at": round(time.time(), 3), **details}) + "\n").encode())


def run(*command):
    """Runs a command; the output of a failure goes to the output of the machine."""
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        print(*command, result.returncode, result.stdout, result.stderr, flush=True)
    return result.returncode == 0


def text(seconds):
    """Returns a time as in the payloads, in whole seconds."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))


class Broker:
    """A broker of MQTT 5 that writes each message to the journal before it accepts it, and that can be away."""

    def __init__(self, journal):
        self.note = journal.note
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
                self.note("late" if "/late/" in topic else "live", value={**value, "value": float(value["value"])})
                self.newest = max(self.newest, value["time"])
            except (ValueError, KeyError, TypeError):
                # Rot is only noticed where it makes the database or the JSON invalid.
                self.note("unreadable", payload=repr(payload))
        elif topic.endswith("/event"):
            self.note("event", value=json.loads(payload))
        return b"\x40\x02" + identifier if qos > 0 else None


class Disk:
    """The file system of the state folder, on the disk /dev/vda below the device mapper."""

    def __init__(self, journal):
        # Without udev, dmsetup creates the files in /dev/mapper by itself.
        os.environ["DM_DISABLE_UDEV"] = "1"
        self.note = journal.note
        self.sectors = int(subprocess.check_output(["blockdev", "--getsz", "/dev/vda"]))
        run("dmsetup", "create", "state", "--table", self.table())

    def mount(self):
        if not run("mount", "/dev/mapper/state", MOUNTED):
            self.note("problem", text="the file system cannot be mounted")
            os._exit(1)

    def unmount(self):
        wait(lambda: run("umount", MOUNTED), 20)


class Bridge:
    """The bridge with its log, which the results keep, and its simulated device."""

    def __init__(self, program, broker, journal):
        self.program, self.broker, self.note, self.process = program, broker, journal.note, None
        for name, text in [("fleet", COUNTING_FLEET), ("bluefleet", counting_configuration(STATE, PORT))]:
            with open(f"/tmp/{name}.yaml", "w") as file:
                file.write(text)
        simulation = subprocess.Popen([program, "simulate", "/tmp/fleet.yaml"], stdout=subprocess.PIPE, text=True)
        self.bus = simulation.stdout.readline().strip()
        self.log = open(f"{RESULTS}/bridge", "a")

    def start(self):
        """Starts the bridge, and waits for its first value: on the disk, or at the broker."""
        begin, before = time.time(), (stored(), self.broker.newest)
        self.place = os.path.getsize(f"{RESULTS}/bridge")
        self.process = subprocess.Popen(
            [self.program, "run", "/tmp/bluefleet.yaml", "--bus", self.bus], stdout=self.log, stderr=self.log
        )
        if wait(lambda: (stored(), self.broker.newest) != before or self.has_ended()) and not self.has_ended():
            self.note("session", seconds=round(time.time() - begin, 1))
        else:
            self.note("problem", text="the bridge does not start" if self.has_ended() else "no value within 120 s of the start")

    def has_ended(self):
        return self.process.poll() is not None

    def has_logged(self, text):
        """Whether the log contains a text since the last start."""
        return text in self.lines(self.place)

    def lines(self, place):
        with open(f"{RESULTS}/bridge") as log:
            log.seek(place)
            return log.read()

    def last_stored(self):
        """The number of the last message that is on the disk, as the log says; 0 if there is none."""
        numbers = re.findall(r"messages are stored .*last=(\d+)", self.lines(0))
        return int(numbers[-1]) if numbers else 0

    def expect(self, condition, text):
        if not wait(lambda: condition() or self.has_ended()):
            self.note("problem", text=text)
        if self.has_ended():
            self.note("problem", text=f"the bridge has ended with {self.process.returncode}")

    def stop(self, how):
        self.process.send_signal(how)
        self.process.wait()


def version():
    """Returns what differs after the bridge has replaced contents of its file: its time and size, and the header of SQLite's log."""
    status = os.stat(DATABASE)
    try:
        with open(f"{DATABASE}-wal", "rb") as log:
            return status.st_mtime_ns, status.st_size, log.read(32)
    except FileNotFoundError:
        return status.st_mtime_ns, status.st_size, b""


def copy_database(folder):
    """Copies the file with its log; a copy that may mix two versions is made again."""
    for _ in range(50):
        before = version()
        for path in (DATABASE, f"{DATABASE}-wal"):
            try:
                shutil.copy(path, folder)
            except FileNotFoundError:
                pass
        if version() == before:
            break
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
    return os.path.join(folder, os.path.basename(DATABASE))


def rows(query):
    """Returns the rows of a query of the stored messages; None if the file cannot be read.

    The query reads a copy: the bridge locks its file.
    """
    try:
        with disk, tempfile.TemporaryDirectory() as folder:
            connection = sqlite3.connect(f"file:{copy_database(folder)}?mode=ro", uri=True)
            try:
                return connection.execute(query).fetchall()
            finally:
                connection.close()
    except (sqlite3.Error, OSError):
        return None


def database(query):
    """Returns the first number of a query of the stored messages; None if there is none."""
    found = rows(query)
    return found[0][0] if found else None


def stored():
    """The time of the newest stored value, in milliseconds."""
    return database(
        "SELECT time FROM records JOIN topics ON topic = number WHERE name = 'sensor/temperature' ORDER BY id DESC LIMIT 1"
    )
