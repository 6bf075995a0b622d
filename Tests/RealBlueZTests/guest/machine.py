"""The programs of the virtual machine: bus, adapter, bluetoothd, peripherals, broker and bridge."""

from pathlib import Path

import system
from bridge import start_bridge
from broker import PORT, Broker
from conversation import Conversation, Line, changed
from fleet import Fleet
from gateways import Gateway
from journal import Journal
from radio import Air, plug_in_adapter
from sequence import ADAPTER


class Machine:
    """The running programs and the recorded events, for the scenarios."""

    def __init__(self, results: Path, executable: Path):
        self.results = results
        self.executable = executable
        self.journal = Journal(results / "journal.jsonl")
        self.broker = Broker()
        self.bridge: system.Program | None = None
        # The gateways that share devices, while a scenario uses them.
        self.gateways: list[Gateway] = []
        # The messages of the sequence with bluetoothd, once it has run.
        self.sequence: list[Line] = []

    async def start(self) -> None:
        self.system_bus = await system.start_system_bus(self.results)
        self.bluez = await Conversation.begin()
        self.bluez.step("bluetoothd starts and switches its adapter on")
        self.air = Air()
        self.adapter = await plug_in_adapter(self.air)
        await self.start_bluetoothd()
        self.fleet = Fleet(self.air, self.journal)
        await self.fleet.start()
        await system.start_broker(self.results, PORT)
        await self.broker.listen()

    async def start_bluetoothd(self) -> None:
        self.bluetoothd = await system.start_bluetoothd(self.results)
        await self.bluez.receive("the adapter is powered", changed(ADAPTER, "Powered", True))

    async def start_bridge(self, configuration: str) -> None:
        """Starts the bridge. A bridge that a failed scenario has left is stopped first: two would share one state folder."""
        await self.end_bridge()
        self.bridge = await start_bridge(self.executable, configuration, self.results)

    async def stop_bridge(self) -> int:
        """Stops the bridge (SIGTERM) and returns its exit code."""
        assert self.bridge, "no bridge is running"
        status = await self.bridge.stop()
        self.bridge = None
        return status

    async def end_bridge(self) -> None:
        """Stops the bridge if one is running; kills it if it does not end in time."""
        bridge, self.bridge = self.bridge, None
        if bridge is None or bridge.has_ended:
            return
        try:
            await bridge.stop()
        except TimeoutError:
            await bridge.kill()

    async def add_gateways(self, *names: str) -> list[Gateway]:
        """Adds gateways that share devices and do not run yet; all but the first one get an adapter in addition."""
        for name in names:
            adapter = self.adapter
            if self.gateways:
                adapter = await plug_in_adapter(self.air, f"00:00:5E:00:53:{len(self.gateways) + 1:02X}")
            self.gateways.append(Gateway(name, adapter, self.executable, self.results))
        return self.gateways

    async def remove_gateways(self) -> None:
        """Kills the gateways, unplugs the adapters that were added for them, and resets the first adapter."""
        gateways, self.gateways = self.gateways, []
        for gateway in gateways:
            await gateway.kill()
            if gateway.adapter is not self.adapter:
                await gateway.adapter.unplug()
        self.fleet.beacon.hide()
        self.adapter.out_of_range.clear()
        self.adapter.strengths.clear()

    async def clean_up(self) -> None:
        """Ends what failed scenarios have left, so that the scenarios of the next file start as after a success."""
        await self.end_bridge()
        await self.remove_gateways()
        self.adapter.unreachable.clear()
        self.fleet.silent.is_unresponsive = False
        if self.bluetoothd.has_ended:
            await self.start_bluetoothd()
        elif not await self.bluez.is_powered():
            await self.bluez.set_powered(True)

    async def kill_bridge(self) -> None:
        """Kills the bridge (SIGKILL)."""
        assert self.bridge, "no bridge is running"
        await self.bridge.kill()
        self.bridge = None
