"""The programs in addition to the bridge: the system bus, bluetoothd and a broker."""

import asyncio
import shutil
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

BLUETOOTHD = ["/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd"]


class Program:
    """A running program with its own log."""

    def __init__(self, name: str, process: asyncio.subprocess.Process):
        self.name = name
        self.process = process

    @classmethod
    async def start(cls, log: Path, *command: str) -> "Program":
        with log.open("ab") as output:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=asyncio.subprocess.DEVNULL, stdout=output, stderr=output
            )
        return cls(log.stem, process)

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def has_ended(self) -> bool:
        return self.process.returncode is not None

    async def stop(self, within: float = 30) -> int:
        """Stops the program (SIGTERM) and returns its exit code."""
        if not self.has_ended:
            self.process.send_signal(signal.SIGTERM)
        return await asyncio.wait_for(self.process.wait(), within)

    async def kill(self) -> None:
        self.process.kill()
        await self.process.wait()


async def until(what: str, ready: Callable[[], Awaitable[bool]], within: float = 30) -> None:
    """Polls until `ready` returns true: a starting program does not report when it is ready."""
    deadline = time.monotonic() + within
    while not await ready():
        assert time.monotonic() < deadline, f"not ready within {within:.0f} s: {what}"
        await asyncio.sleep(0.05)


async def accepts(connecting: Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]) -> bool:
    try:
        _, writer = await connecting
    except OSError:
        return False
    writer.close()
    return True


async def start_system_bus(results: Path) -> Program:
    program = await Program.start(results / "dbus.log", "dbus-daemon", "--system", "--nofork", "--nopidfile")
    await until("the system bus", lambda: accepts(asyncio.open_unix_connection("/run/dbus/system_bus_socket")))
    return program


def bluetoothd() -> str:
    return next(path for path in BLUETOOTHD if Path(path).exists())


async def bluetoothd_version() -> str:
    """The version, e.g. `5.66`."""
    program = await asyncio.create_subprocess_exec(bluetoothd(), "--version", stdout=asyncio.subprocess.PIPE)
    output, _ = await program.communicate()
    return output.decode().strip()


async def start_bluetoothd(results: Path) -> Program:
    return await Program.start(results / "bluetoothd.log", bluetoothd(), "--nodetach", "--debug")


async def start_broker(results: Path, port: int) -> Program:
    configuration = Path("/run/mosquitto.conf")
    configuration.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
    mosquitto = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
    program = await Program.start(results / "mosquitto.log", mosquitto, "-v", "-c", str(configuration))
    await until("the broker", lambda: accepts(asyncio.open_connection("127.0.0.1", port)))
    return program
