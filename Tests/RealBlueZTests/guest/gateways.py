"""Several gateways with one bluetoothd, which share devices; each has an adapter of its own."""

from pathlib import Path

from bridge import shared
from radio import AdapterController
from system import Program


class Gateway:
    """A bridge with its configuration `file`, and its adapter."""

    def __init__(self, name: str, adapter: AdapterController, executable: Path, results: Path):
        self.name = name
        self.adapter = adapter
        self._executable = executable
        self._log = results / f"{name}.log"
        self.file = results / f"{name}.yaml"
        self.file.write_text(shared(name, adapter.public_address.to_string(with_type_qualifier=False)))
        self._program: Program | None = None

    async def start(self) -> None:
        self._program = await Program.start(self._log, str(self._executable), "run", "--config", str(self.file))

    async def stop(self) -> int:
        """Stops the bridge (SIGTERM) and returns its exit code."""
        assert self._program, f"{self.name} is not running"
        status = await self._program.stop()
        self._program = None
        return status

    async def kill(self) -> None:
        """Kills the bridge (SIGKILL)."""
        if self._program:
            await self._program.kill()
        self._program = None
