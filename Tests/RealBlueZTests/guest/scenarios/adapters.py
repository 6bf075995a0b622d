"""Restarts of bluetoothd and changes of the adapter with several connections; two adapters."""

import asyncio
import struct

import fleet
from bridge import sensors
from expectations import notifies, subscribed
from machine import Machine
from peripheral import Peripheral
from radio import plug_in_adapter
from scenario import NotSupported, scenario

COUNT = 6
NUMBERS = range(1, COUNT + 1)
SECOND_ADDRESS = "00:00:5E:00:53:02"


async def subscribed_by_all(machine: Machine, peripherals: list[Peripheral], after: int) -> None:
    for peripheral in peripherals:
        await subscribed(machine, peripheral.name, fleet.TEMPERATURE, after)


async def all_reconnect(machine: Machine, after: int) -> None:
    peripherals = [machine.fleet.sensors[number] for number in NUMBERS]
    await subscribed_by_all(machine, peripherals, after)
    await notifies(machine, peripherals)


@scenario
async def values_arrive_through_descriptors_if_configured(machine: Machine) -> None:
    peripherals = await machine.fleet.sensors_alone(COUNT)
    seen, after = machine.journal.mark(), machine.broker.mark()
    await machine.start_bridge(sensors(NUMBERS, "bluetooth: {notify: descriptor}"))
    await subscribed_by_all(machine, peripherals, seen)
    for number in NUMBERS:
        await machine.broker.received(f"bluefleet/sensors/{number}/connection", {"state": "connected"}, after)
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
async def descriptors_are_acquired_again_after_a_lost_connection(machine: Machine) -> None:
    sensor, seen = machine.fleet.sensors[1], machine.journal.mark()
    await sensor.drop_link()
    await subscribed(machine, sensor.name, fleet.TEMPERATURE, seen)
    await notifies(machine, [sensor])
    assert await machine.stop_bridge() == 0, "the bridge failed on its end"


@scenario
async def several_devices_reconnect_after_bluetoothd_was_killed(machine: Machine) -> None:
    peripherals = await machine.fleet.sensors_alone(COUNT)
    seen = machine.journal.mark()
    await machine.start_bridge(sensors(NUMBERS))
    await subscribed_by_all(machine, peripherals, seen)
    seen = machine.journal.mark()
    await machine.bluetoothd.kill()
    machine.bluez.step("bluetoothd starts again")
    await machine.start_bluetoothd()
    await all_reconnect(machine, seen)


@scenario
async def several_devices_reconnect_after_the_adapter_was_off(machine: Machine) -> None:
    seen = machine.journal.mark()
    await machine.bluez.set_powered(False)
    await machine.bluez.set_powered(True)
    await all_reconnect(machine, seen)


@scenario
async def several_devices_reconnect_after_rfkill_blocked_the_radio(machine: Machine) -> None:
    seen, after = machine.journal.mark(), machine.broker.mark()
    await block_radio(True)
    try:
        off = await machine.broker.received("bluefleet/bridge/machine/event", {"type": "bluetooth"}, after)
        assert (off.json["state"], "rfkill unblock" in off.json["reason"]) == ("poweredOff", True), str(off)
    finally:
        await block_radio(False)
    await all_reconnect(machine, seen)


@scenario
async def several_devices_reconnect_after_the_adapter_was_unplugged(machine: Machine) -> None:
    seen, after = machine.journal.mark(), machine.broker.mark()
    await machine.adapter.unplug()
    for number in NUMBERS:
        await machine.broker.received(f"bluefleet/sensors/{number}/connection", {"state": "disconnected"}, after)
    machine.adapter = await plug_in_adapter(machine.air)
    await all_reconnect(machine, seen)


@scenario
async def a_device_connects_through_the_adapter_in_range(machine: Machine) -> None:
    near, far = machine.fleet.sensors[1], machine.fleet.sensors[2]
    machine.adapter.out_of_range.add(far.address)
    second = await plug_in_adapter(machine.air, SECOND_ADDRESS)
    second.out_of_range.add(near.address)
    seen, after = machine.journal.mark(), machine.broker.mark()
    for sensor in [near, far]:
        await sensor.drop_link()
    await subscribed_by_all(machine, [near, far], seen)
    await notifies(machine, [near, far])
    for sensor, adapter in [(near, machine.adapter), (far, second)]:
        assert adapter.holds(sensor.address_on_air), f"{sensor.name} is not connected through {adapter.public_address}"
    await second.unplug()
    machine.adapter.out_of_range.clear()
    seen = machine.journal.mark()
    await subscribed(machine, far.name, fleet.TEMPERATURE, seen)
    await notifies(machine, [near, far])
    assert await machine.stop_bridge() == 0, "the bridge failed on its end"


async def block_radio(is_blocked: bool) -> None:
    """Does the same as `rfkill block bluetooth` and `unblock` (linux/rfkill.h, struct rfkill_event)."""
    bluetooth, change_all = 2, 3
    event = struct.pack("=IBBBB", 0, bluetooth, change_all, is_blocked, 0)

    def write() -> None:
        with open("/dev/rfkill", "wb", buffering=0) as switches:
            switches.write(event)

    try:
        # In a thread: the kernel waits for the controller, which runs in this process.
        await asyncio.to_thread(write)
    except FileNotFoundError:
        raise NotSupported("there is no /dev/rfkill") from None
