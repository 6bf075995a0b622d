"""A bridge with many peripherals; one cannot be connected, and one does not respond to requests."""

import fleet
from bridge import CROWD
from expectations import disconnected, notifies, subscribed
from machine import Machine
from scenario import scenario


@scenario
async def twenty_peripherals_connect_while_two_others_hang(machine: Machine) -> None:
    # If a client waits too long for this connection, bluetoothd 5.66 crashes when Linux cancels the attempt.
    machine.adapter.unreachable.add(fleet.UNREACHABLE)
    machine.fleet.silent.is_unresponsive = True
    after = machine.broker.mark()
    await machine.start_bridge(CROWD)
    await machine.broker.received("bluefleet/bridge/machine/state", {"state": "online"}, after)
    await machine.fleet.start_crowd()
    # The bridge must try the two peripherals that hang first.
    await machine.broker.received("bluefleet/unreachable/connection", {"state": "connecting"}, after)
    # On a busy host, the bridge connects many others first.
    await machine.journal.wait(
        "silent: its connection", lambda e: (e.peripheral, e.kind) == ("silent", "connected"), within=180
    )
    for number in fleet.SENSORS:
        await subscribed(machine, f"sensor {number}", fleet.TEMPERATURE)
    assert not machine.journal.seen("silent", "cccd"), "the unresponsive peripheral was subscribed"
    assert not machine.journal.seen("unreachable"), "the unreachable peripheral was connected"


@scenario
async def each_notification_of_twenty_peripherals_is_one_reading(machine: Machine) -> None:
    await notifies(machine, machine.fleet.sensors.values())


@scenario
async def a_long_value_is_read_completely(machine: Machine) -> None:
    seen = machine.journal.mark()
    answer = await machine.broker.ask("bluefleet/writer/request/read", {"characteristic": "text"}, "long read")
    assert answer["payload"]["data"]["value"] == fleet.LONG_TEXT, answer
    assert machine.journal.seen("writer", "blob", after=seen), "the value fitted into one packet"


@scenario
async def a_long_value_is_written_in_parts(machine: Machine) -> None:
    seen, text = machine.journal.mark(), "The quick brown fox. " * 15
    answer = await machine.broker.ask("bluefleet/writer/text/set", text, "long write")
    assert answer["payload"]["status"] == "ok", answer
    assert len(machine.journal.seen("writer", "prepare", after=seen)) > 1, "the value fitted into one packet"
    written = machine.fleet.writer.values[fleet.TEXT].decode()
    assert written == text, f"written: {written!r}"


@scenario
async def an_indication_is_published_as_a_reading(machine: Machine) -> None:
    after = machine.broker.mark()
    await machine.journal.wait(
        "the subscription", lambda e: (e.peripheral, e.uuid, e.value) == ("writer", fleet.THERMOMETER, "0200")
    )
    await machine.fleet.writer.notify(fleet.THERMOMETER, "006e0100ff")
    reading = await machine.broker.received("bluefleet/writer/patient", {}, after)
    assert 36.6 in reading.json.values(), reading


@scenario
async def discover_shows_included_services_and_descriptors(machine: Machine) -> None:
    answer = await machine.broker.ask("bluefleet/writer/request/discover", {}, "discover")
    services = {service["uuid"]: service for service in answer["payload"]["data"]["services"]}
    text = services[fleet.TEXT_SERVICE]
    assert text["includes"] == [fleet.THERMOMETER_SERVICE], text
    assert text["characteristics"][0]["descriptors"] == [fleet.USER_DESCRIPTION], text


@scenario
async def changed_services_are_discovered_and_subscribed_again(machine: Machine) -> None:
    sensor, seen, after = machine.fleet.sensors[1], machine.journal.mark(), machine.broker.mark()
    await sensor.rearrange()
    await subscribed(machine, "sensor 1", fleet.TEMPERATURE, seen)
    await sensor.notify(fleet.TEMPERATURE, "d007")
    await machine.broker.received("bluefleet/sensors/1/temperature", {"value": 20}, after)
    links = machine.journal.seen("sensor 1", "connected", "disconnected", after=seen)
    assert not links, f"unexpected reconnection: {[str(event) for event in links]}"


@scenario
async def a_peripheral_that_hung_connects_once_it_answers(machine: Machine) -> None:
    machine.adapter.unreachable.clear()
    machine.fleet.silent.is_unresponsive = False
    await subscribed(machine, "unreachable", fleet.TEMPERATURE)
    await subscribed(machine, "silent", fleet.TEMPERATURE)


@scenario
async def all_devices_reconnect_after_bluetoothd_was_killed(machine: Machine) -> None:
    seen, after = machine.journal.mark(), machine.broker.mark()
    await machine.bluetoothd.kill()
    machine.bluez.step("bluetoothd starts again")
    await machine.start_bluetoothd()
    for peripheral in machine.fleet.crowd:
        if peripheral is not machine.fleet.writer:
            await subscribed(machine, peripheral.name, fleet.TEMPERATURE, seen)
    await machine.broker.received("bluefleet/writer/connection", {"state": "connected"}, after)
    await notifies(machine, machine.fleet.sensors.values())


@scenario
async def sigterm_ends_all_connections(machine: Machine) -> None:
    connected = [each for each in machine.fleet.crowd if each.is_connected]
    seen = machine.journal.mark()
    assert await machine.stop_bridge() == 0, "the bridge failed on its end"
    # Linux 6.12 ends one connection at a time; the bridge waits for that, up to its limit.
    for peripheral in connected:
        await disconnected(machine, peripheral.name, seen)
