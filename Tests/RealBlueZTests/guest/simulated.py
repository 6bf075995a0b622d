"""The specimen in `bluefleet simulate`, for the same sequence of calls as with bluetoothd."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from dbus_fast import Message, MessageType
from dbus_fast.aio import MessageBus

from conversation import BLUEZ, OBJECT_MANAGER
from peripheral import Peripheral, Value
from radio import ADAPTER_ADDRESS
from sequence import ADAPTER
from system import until

CONTROL = "io.bluefleet.Simulator"


class SimulatedSpecimen:
    """The actions of the specimen, through the simulator's control interface."""

    def __init__(self, bus: MessageBus, model: Peripheral):
        self.address = model.address
        self._name = model.name
        self._bus = bus

    async def notify(self, uuid: str, value: str) -> None:
        await self._control("Notify", "ssay", uuid, bytes.fromhex(value))

    async def rearrange(self) -> None:
        await self._control("ChangeServices", "s")

    async def drop_link(self) -> None:
        await self._control("DropLink", "s")

    async def hide(self) -> None:
        await self._control("SetAdvertising", "sb", False)

    async def advertise(self) -> None:
        await self._control("SetAdvertising", "sb", True)

    async def _control(self, member: str, signature: str, *arguments: Any) -> None:
        message = Message(
            destination=CONTROL,
            path="/",
            interface=CONTROL,
            member=member,
            signature=signature,
            body=[self._name, *arguments],
        )
        answer = await self._bus.call(message)
        assert answer.message_type == MessageType.METHOD_RETURN, f"{member}: {answer.body}"


@asynccontextmanager
async def simulation(executable: Path, model: Peripheral, version: str, folder: Path) -> AsyncIterator[tuple]:
    """Simulates the peripheral with a version of bluetoothd; yields the address of the bus and the specimen."""
    file = folder / "specimen.yaml"
    file.write_text(json.dumps(description(model, version)))
    program = await asyncio.create_subprocess_exec(
        executable, "simulate", file, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        address = (await program.stdout.readline()).decode().strip()
        assert address, "bluefleet simulate printed no address"
        bus = await MessageBus(bus_address=address).connect()
        await until("the simulated adapter", lambda: has_adapter(bus))
        yield address, SimulatedSpecimen(bus, model)
        bus.disconnect()
    finally:
        program.send_signal(signal.SIGTERM)
        await program.wait()


async def has_adapter(bus: MessageBus) -> bool:
    """Returns whether the adapter is present: it appears shortly after the name, as with bluetoothd."""
    objects = await bus.call(
        Message(destination=BLUEZ, path="/", interface=OBJECT_MANAGER, member="GetManagedObjects")
    )
    return objects.message_type == MessageType.METHOD_RETURN and ADAPTER in objects.body[0]


def description(model: Peripheral, version: str) -> dict[str, Any]:
    """A fleet with the specimen as its only peripheral."""
    specimen = {
        "address": model.address,
        "advertise": {"services": [uuid for uuid in model.services if len(uuid) == 4], "rssi": -50},
        "services": [
            {
                "uuid": uuid,
                "includes": model.includes.get(uuid, []),
                "characteristics": [characteristic(value) for value in table],
            }
            for uuid, table in model.services.items()
        ],
    }
    return {
        "bluetoothd": version,
        "adapters": {"hci0": {"address": ADAPTER_ADDRESS, "name": f"BlueZ {version}"}},
        "peripherals": {model.name: specimen},
    }


def characteristic(value: Value) -> dict[str, Any]:
    return {
        "uuid": value.uuid,
        "flags": [flag.lower().replace("_", "-") for flag in value.properties.split("|")],
        "hex": value.initial or [],
        "descriptors": [{"uuid": uuid, "hex": initial} for uuid, initial in value.descriptors.items()],
    }
