"""Another client in addition to the bridge: bleak, with the specimen."""

import asyncio

from bleak import BleakClient, BleakScanner

import fleet
from machine import Machine


async def bleak_uses_the_specimen(machine: Machine) -> None:
    specimen, after = machine.fleet.specimen, machine.journal.mark()
    specimen.reset()
    device = await BleakScanner.find_device_by_address(specimen.address, timeout=60)
    assert device and device.name == "specimen", f"bleak found {device}"
    notifications: asyncio.Queue[bytearray] = asyncio.Queue()
    async with BleakClient(device, timeout=60) as client:
        temperature = uuid(fleet.TEMPERATURE)
        value = await client.read_gatt_char(temperature)
        assert value.hex() == "6908", f"read {value.hex()}"
        await client.start_notify(temperature, lambda _, data: notifications.put_nowait(data))
        await specimen.notify(fleet.TEMPERATURE, "7008")
        value = await asyncio.wait_for(notifications.get(), 30)
        assert value.hex() == "7008", f"notified {value.hex()}"
        await client.stop_notify(temperature)
        await client.write_gatt_char(fleet.RELAY_OUTPUT, b"\x01\x00\x64", response=True)
        await client.write_gatt_char(fleet.RELAY_BLINK, b"\x03", response=False)
        await machine.journal.wait(
            "the command", lambda e: (e.kind, e.uuid, e.value) == ("command", fleet.RELAY_BLINK, "03"), after
        )
    seen = [e.value for e in machine.journal.seen("specimen", "cccd", after=after) if e.uuid == fleet.TEMPERATURE]
    assert seen == ["0100", "0000"], f"the specimen saw {seen}"


def uuid(short: str) -> str:
    return f"0000{short.lower()}-0000-1000-8000-00805f9b34fb"
