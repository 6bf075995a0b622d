"""Adapters that go and come, and bluetoothd, with several links each; and two adapters at once."""

import asyncio
import struct

import fleet
from bridge import sensors
from expectations import notifies, subscribed
from machine import Machine
from peripheral import Peripheral
from radio import AdapterController, plug_in_adapter
from scenario import NotHere, scenario

COUNT = 6
NUMBERS = range(1, COUNT + 1)
SECOND_ADDRESS = "00:00:5E:00:53:02"


async def subscribed_by_all(machine: Machine, peripherals: list[Peripheral], after: int) -> None:
    for peripheral in peripherals:
        await subscribed(machine, peripheral.name, fleet.TEMPERATURE, after)


async def come_back(machine: Machine, after: int) -> None:
    peripherals = [machine.fleet.sensors[number] for number in NUMBERS]
    await subscribed_by_all(machine, peripherals, after)
    await notifies(machine, peripherals)


@scenario
async def values_come_through_descriptors_where_that_is_configured(machine: Machine) -> None:
    peripherals = await machine.fleet.sensors_alone(COUNT)
    seen, after = machine.journal.mark(), machine.broker.mark()
    await machine.start_bridge(sensors(NUMBERS, "bluetooth: {notify: descriptor}"))
    await subscribed_by_all(machine, peripherals, seen)
    for number in NUMBERS:
        await machine.broker.heard(f"bluefleet/sensors/{number}/connection", {"state": "connected"}, after)
    acquired = [
        properties["NotifyAcquired"].value
        for interfaces in (await machine.bluez.objects()).values()
        if (properties := interfaces.get("org.bluez.GattCharacteristic1"))
        and properties["UUID"].value.startswith("00002a6e")
        and "NotifyAcquired" in properties
    ]
    assert acquired.count(True) == COUNT, acquired
    await notifies(machine, peripherals)


@scenario
async def descriptors_are_acquired_anew_after_a_lost_link(machine: Machine) -> None:
    sensor, seen = machine.fleet.sensors[1], machine.journal.mark()
    await sensor.drop_link()
    await subscribed(machine, sensor.name, fleet.TEMPERATURE, seen)
    await notifies(machine, [sensor])
    assert await machine.stop_bridge() == 0, "the bridge did not end well"


@scenario
async def several_links_come_back_after_bluetoothd_was_killed(machine: Machine) -> None:
    peripherals = await machine.fleet.sensors_alone(COUNT)
    seen = machine.journal.mark()
    await machine.start_bridge(sensors(NUMBERS))
    await subscribed_by_all(machine, peripherals, seen)
    seen = machine.journal.mark()
    await machine.bluetoothd.kill()
    machine.bluez.step("bluetoothd starts again")
    await machine.start_bluetoothd()
    await come_back(machine, seen)


@scenario
async def several_links_come_back_after_the_adapter_was_off(machine: Machine) -> None:
    seen = machine.journal.mark()
    await machine.bluez.set_powered(False)
    await machine.bluez.set_powered(True)
    await come_back(machine, seen)


@scenario
async def several_links_come_back_after_rfkill_had_blocked_the_radio(machine: Machine) -> None:
    seen, after = machine.journal.mark(), machine.broker.mark()
    await block_radio(True)
    try:
        off = await machine.broker.heard("bluefleet/bridge/machine/event", {"type": "bluetooth"}, after)
        assert (off.json["state"], "rfkill unblock" in off.json["reason"]) == ("poweredOff", True), str(off)
    finally:
        await block_radio(False)
    await come_back(machine, seen)


@scenario
async def several_links_come_back_after_the_adapter_was_unplugged(machine: Machine) -> None:
    seen, after = machine.journal.mark(), machine.broker.mark()
    await machine.adapter.unplug()
    for number in NUMBERS:
        await machine.broker.heard(f"bluefleet/sensors/{number}/connection", {"state": "disconnected"}, after)
    machine.adapter = await plug_in_adapter(machine.air)
    await come_back(machine, seen)


@scenario
async def each_device_is_connected_through_the_adapter_that_hears_it(machine: Machine) -> None:
    near, far = machine.fleet.sensors[1], machine.fleet.sensors[2]
    machine.adapter.inaudible.add(far.address)
    second = await plug_in_adapter(machine.air, SECOND_ADDRESS)
    second.inaudible.add(near.address)
    seen, after = machine.journal.mark(), machine.broker.mark()
    for sensor in [near, far]:
        await sensor.drop_link()
    await subscribed_by_all(machine, [near, far], seen)
    await notifies(machine, [near, far])
    for sensor, adapter in [(near, machine.adapter), (far, second)]:
        assert holds(adapter, sensor), f"{sensor.name} is not connected through {adapter.public_address}"
    await second.unplug()
    machine.adapter.inaudible.clear()
    seen = machine.journal.mark()
    await subscribed(machine, far.name, fleet.TEMPERATURE, seen)
    await notifies(machine, [near, far])
    assert await machine.stop_bridge() == 0, "the bridge did not end well"


def holds(adapter: AdapterController, peripheral: Peripheral) -> bool:
    return peripheral.device.random_address in adapter.le_connections


async def block_radio(is_blocked: bool) -> None:
    """What `rfkill block bluetooth` does, and `unblock` (linux/rfkill.h, struct rfkill_event)."""
    bluetooth, change_all = 2, 3
    event = struct.pack("=IBBBB", 0, bluetooth, change_all, is_blocked, 0)

    def write() -> None:
        with open("/dev/rfkill", "wb", buffering=0) as switches:
            switches.write(event)

    try:
        # The kernel says good-bye to the controller meanwhile, which is played here.
        await asyncio.to_thread(write)
    except FileNotFoundError:
        raise NotHere("there is no /dev/rfkill") from None
