"""All that runs in the test machine, in the order in which it starts."""

from pathlib import Path

import system
from bridge import start_bridge
from broker import PORT, Broker
from conversation import Conversation, Line, changed
from fleet import Fleet
from journal import Journal
from radio import Air, plug_in_adapter
from sequence import ADAPTER


class Machine:
    """What the scenarios act on."""

    def __init__(self, results: Path, executable: Path):
        self.results = results
        self.executable = executable
        self.journal = Journal(results / "journal.jsonl")
        self.broker = Broker()
        self.bridge: system.Program | None = None
        # What was said in the walk over bluetoothd, once that is done.
        self.walk: list[Line] = []

    async def start(self) -> None:
        self.system_bus = await system.start_system_bus(self.results)
        self.bluez = await Conversation.begin()
        self.bluez.step("bluetoothd starts, and finds an adapter that it powers on")
        self.air = Air()
        self.adapter = await plug_in_adapter(self.air)
        await self.start_bluetoothd()
        self.fleet = Fleet(self.air, self.journal)
        await self.fleet.start()
        await system.start_broker(self.results, PORT)
        await self.broker.listen()

    async def start_bluetoothd(self) -> None:
        self.bluetoothd = await system.start_bluetoothd(self.results)
        await self.bluez.hear("the adapter is powered", changed(ADAPTER, "Powered", True))

    async def start_bridge(self, configuration: str) -> None:
        self.bridge = await start_bridge(self.executable, configuration, self.results)

    async def stop_bridge(self) -> int:
        """Asks the bridge to end (SIGTERM) and returns its exit code."""
        bridge, self.bridge = self.bridge, None
        assert bridge, "no bridge runs"
        return await bridge.stop()

    async def kill_bridge(self) -> None:
        """Ends the bridge at once (SIGKILL)."""
        bridge, self.bridge = self.bridge, None
        assert bridge, "no bridge runs"
        await bridge.kill()
