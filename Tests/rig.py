"""The shared parts of the commands Tests/Faults, Tests/FleetFaults, Tests/FleetLoad, Tests/Soak/run, Tests/Wear,
Tests/PowerCuts and Tests/DiskReplay.

A command parses its options with `arguments`, and creates a `Run`: the folder, programs and problems of this run of the
command. RealBlueZTests/guest/outage.py uses the device that counts, and `wait`, in the virtual machine too.
"""

import argparse
import datetime
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

TESTS = os.path.dirname(os.path.realpath(__file__))
BUILT = os.path.realpath(f"{TESTS}/../.build/debug")
GUEST = f"{TESTS}/RealBlueZTests/guest"

# /usr/sbin is not in the PATH of every user: mosquitto, mke2fs.
os.environ["PATH"] += ":/usr/sbin:/sbin"


def arguments(description):
    """Returns a parser with the option --program; the description is the text of --help."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=os.path.realpath, default=f"{BUILT}/bluefleet")
    return parser


def sigterm_event():
    """Returns an event that SIGTERM sets: the command ends early, with a result."""
    event = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: event.set())
    return event


def wait(condition, limit=120, pause=0.1):
    """Waits for a condition; returns False after `limit` seconds."""
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(pause)
    return True


def seconds(text):
    """Returns the seconds since 1970 of a time in a payload."""
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port):
    """Whether a program listens on a port of 127.0.0.1."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def make_file_system(disk, size, *options):
    """Creates a file with an ext4 file system."""
    subprocess.run(["truncate", "-s", size, disk], check=True)
    # The initialization in the background would write to the disk again and again.
    at_once = "lazy_itable_init=0,lazy_journal_init=0"
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-E", at_once, *options, disk], check=True)


# MARK: A device that counts

COUNT = 10_000  # the device begins again after this number of values

# A fleet of one device. It counts upwards by 0.01 every 500 ms, so that each missing value is seen.
COUNTING_FLEET = f"""
adapters: {{hci0: {{address: "00:00:5E:00:53:01"}}}}
peripherals:
  sensor:
    address: C0:00:00:00:00:01
    services:
      - uuid: 181A
        characteristics:
          - {{uuid: temperature, flags: [read, notify], value: {{list: {[n / 100 for n in range(COUNT)]}}}, notify: 500ms}}
"""


def counting_configuration(state, port):
    """Returns the configuration of a bridge for this fleet, with keep: all, sync: 1s and a detailed log."""
    return f"""
gateway: attic
state_directory: {state}
log: debug
mqtt: {{url: "mqtt://127.0.0.1:{port}"}}
home_assistant: {{discovery: none}}
spool: {{keep: all, sync: 1s}}
devices:
  sensor:
    address: C0:00:00:00:00:01
    characteristics: {{temperature: {{service: 181A, uuid: 2A6E, subscribe: true}}}}
"""


def missing_values(first, second):
    """Returns how many values of the device are missing between two values."""
    return round(100 * (second - first)) % COUNT - 1


# MARK: Programs

class Program:
    """A program in the background, which can be stopped and started again. Its output is appended to the file `log`."""

    def __init__(self, *command, log=os.devnull, output=None, environment=None):
        self.command, self.log, self.output = command, log, output
        self.environment = {**os.environ, **(environment or {})}
        self.start()

    def start(self):
        with open(self.log, "a") as log:
            output = log if self.output is None else self.output
            self.process = subprocess.Popen(self.command, env=self.environment, stdout=output, stderr=log, text=True)

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def pause(self, seconds):
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.process.send_signal(signal.SIGCONT)

    @property
    def has_ended(self):
        return self.process.poll() is not None


class Subscriber:
    """Calls a function for each message, in a thread. The broker keeps the session while the subscriber is away, unless
    `keeps_session` is false.

    The parameters are the topic and the payload; with `has_properties` the user properties are between them, e.g.
    `gateway:attic`, and retained messages are left out. `name` is the client id.
    """

    def __init__(self, port, *topics, receive, has_properties=False, name="subscriber", keeps_session=True):
        filters = [part for topic in topics for part in ("-t", topic)]
        self.command = ["mosquitto_sub", "-p", str(port), "-i", name, "-q", "1", *filters]
        self.separator = "\t" if has_properties else " "
        self.command += ["-R", "-V", "5", "-F", r"%t\t%P\t%p"] if has_properties else ["-v"]
        if keeps_session:
            self.command += ["-c", "-x", "3600"] if has_properties else ["-c"]
        self.receive, self.process, self.is_over = receive, None, threading.Event()
        self.thread = threading.Thread(target=self.collect, daemon=True)
        self.thread.start()

    def collect(self):
        while not self.is_over.is_set():
            with subprocess.Popen(
                self.command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace"
            ) as self.process:
                for line in self.process.stdout:
                    self.receive(*line.rstrip("\n").split(self.separator, self.command.count("-F") + 1))
            time.sleep(0.1)

    def stop(self):
        """Ends the subscriber, after the function was called for its last message."""
        self.is_over.set()
        while self.thread.is_alive():
            if self.process:
                self.process.terminate()
            self.thread.join(0.5)


# MARK: A run of a command

class Run:
    """A run of a command: its folder, the programs that it starts, and the problems that it finds.

    The folder is a new one, which is removed at the end if there is no problem; a given folder always stays.
    """

    def __init__(self, name, program, folder=None):
        self.program, self.is_temporary = program, folder is None
        self.folder = folder or tempfile.mkdtemp(prefix=f"{name}-")
        self.started, self.problems = [], []

    def path(self, name):
        return os.path.join(self.folder, name)

    def make_folder(self, name):
        os.makedirs(self.path(name), exist_ok=True)

    def write(self, name, text):
        """Creates or replaces a file, and returns its path. A reader never sees a part of the text."""
        path = self.path(name)
        with open(path + ".new", "w") as file:
            file.write(text)
        os.rename(path + ".new", path)
        return path

    def start(self, *command, **options):
        """Starts a program, which `kill_programs` ends."""
        self.started.append(Program(*command, **options))
        return self.started[-1]

    def start_broker(self, port, *settings):
        """Starts mosquitto; `settings` are more lines of its configuration."""
        lines = [f"listener {port} 127.0.0.1", "allow_anonymous true", *settings]
        return self.start("mosquitto", "-c", self.write("mosquitto.conf", "\n".join(lines) + "\n"))

    def start_simulator(self, fleet):
        """Starts a simulated bluetoothd, and returns the address of its D-Bus."""
        simulator = self.start(self.program, "simulate", self.write("fleet.yaml", fleet), output=subprocess.PIPE)
        return simulator.process.stdout.readline().strip()

    def start_bridge(self, configuration, bus, environment=None):
        """Starts the bridge with the text of its configuration; its log is the file `bridge.log`."""
        command = [self.program, "run", self.write("bluefleet.yaml", configuration), "--bus", bus]
        return self.start(*command, log=self.path("bridge.log"), environment=environment)

    def kill_programs(self):
        for program in self.started:
            program.kill()

    def start_machine(self, disk, script, *parameters):
        """Starts the virtual machine of RealBlueZTests, and in it a script of the folder `guest`.

        `disk` is the value of BLUEFLEET_MACHINE_DISK. The machine writes to the folder `results`, and appends its output
        to the file `boot`. It is a process group of its own.
        """
        command = ["python3", f"{GUEST}/{script}", self.program, *map(str, parameters)]
        machine = [f"{TESTS}/RealBlueZTests/machine/boot", self.path("results")]
        environment = {**os.environ, "BLUEFLEET_MACHINE_DISK": disk}
        with open(self.path("boot"), "a") as log:
            return subprocess.Popen(
                machine + command, env=environment, stdout=log, stderr=log, start_new_session=True)

    def report(self, most=None):
        """Prints the problems, or the first ones of them, and where the files are."""
        for problem in self.problems[:most]:
            print(f"  {problem}")
        if most and len(self.problems) > most:
            print(f"  and {len(self.problems) - most} more")
        if self.problems:
            print(f"  files: {self.folder}")

    def end(self):
        """Ends the command, with the exit status 1 if there are problems."""
        if self.is_temporary and not self.problems:
            shutil.rmtree(self.folder, ignore_errors=True)
        sys.exit(1 if self.problems else 0)
