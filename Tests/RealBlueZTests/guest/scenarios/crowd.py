"""A bridge with many peripherals at once, of which one never answers a connect and one never answers at all."""

import fleet
from expectations import disconnected, notifies, subscribed
from machine import Machine
from scenario import scenario


@scenario
async def twenty_peripherals_are_connected_beside_two_that_hang(machine: Machine) -> None:
    # Where a client waits too long for it, bluetoothd 5.66 dies when Linux gives it up.
    machine.adapter.unreachable.add(fleet.DEAF)
    machine.fleet.silent.is_silent = True
    after = machine.broker.mark()
    await machine.fleet.gather()
    # That the others are there says something only if these were tried before.
    await machine.broker.heard("bluefleet/deaf/connection", {"state": "connecting"}, after)
    await machine.journal.wait("silent: its link", lambda e: (e.peripheral, e.kind) == ("silent", "connected"))
    for number in fleet.SENSORS:
        await subscribed(machine, f"sensor {number}", fleet.TEMPERATURE)
    assert not machine.journal.seen("silent", "cccd"), "it does not answer, and was subscribed to"
    assert not machine.journal.seen("deaf"), "it is out of reach, and was reached"


@scenario
async def each_of_twenty_publishes_what_it_notifies(machine: Machine) -> None:
    await notifies(machine, machine.fleet.sensors.values())


@scenario
async def a_long_value_is_read_whole(machine: Machine) -> None:
    seen = machine.journal.mark()
    answer = await machine.broker.ask("bluefleet/scribe/request/read", {"characteristic": "text"}, "long read")
    assert answer["payload"]["data"]["value"] == fleet.LONG_TEXT, answer
    assert machine.journal.seen("scribe", "blob", after=seen), "it fitted into one packet"


@scenario
async def a_long_value_is_written_in_parts(machine: Machine) -> None:
    seen, text = machine.journal.mark(), "The quick brown fox. " * 15
    answer = await machine.broker.ask("bluefleet/scribe/text/set", text, "long write")
    assert answer["payload"]["status"] == "ok", answer
    assert len(machine.journal.seen("scribe", "prepare", after=seen)) > 1, "it fitted into one packet"
    written = machine.fleet.scribe.values[fleet.TEXT].decode()
    assert written == text, f"written was {written!r}"


@scenario
async def an_indication_is_a_reading(machine: Machine) -> None:
    after = machine.broker.mark()
    await machine.journal.wait(
        "the subscription", lambda e: (e.peripheral, e.uuid, e.value) == ("scribe", fleet.THERMOMETER, "0200")
    )
    await machine.fleet.scribe.notify(fleet.THERMOMETER, "006e0100ff")
    reading = await machine.broker.heard("bluefleet/scribe/patient", {}, after)
    assert 36.6 in reading.json.values(), reading


@scenario
async def discover_shows_included_services_and_descriptors(machine: Machine) -> None:
    answer = await machine.broker.ask("bluefleet/scribe/request/discover", {}, "discover")
    services = {service["uuid"]: service for service in answer["payload"]["data"]["services"]}
    text = services[fleet.TEXT_SERVICE]
    assert text["includes"] == [fleet.THERMOMETER_SERVICE], text
    assert text["characteristics"][0]["descriptors"] == [fleet.USER_DESCRIPTION], text


@scenario
async def changed_services_are_looked_up_and_subscribed_again(machine: Machine) -> None:
    sensor, seen, after = machine.fleet.sensors[1], machine.journal.mark(), machine.broker.mark()
    await sensor.rearrange()
    await subscribed(machine, "sensor 1", fleet.TEMPERATURE, seen)
    await sensor.notify(fleet.TEMPERATURE, "d007")
    await machine.broker.heard("bluefleet/sensors/1/temperature", {"value": 20}, after)
    links = machine.journal.seen("sensor 1", "connected", "disconnected", after=seen)
    assert not links, f"that took a new link: {[str(event) for event in links]}"


@scenario
async def who_hung_is_connected_once_it_answers(machine: Machine) -> None:
    machine.adapter.unreachable.clear()
    machine.fleet.silent.is_silent = False
    await subscribed(machine, "deaf", fleet.TEMPERATURE)
    await subscribed(machine, "silent", fleet.TEMPERATURE)


@scenario
async def every_link_comes_back_after_bluetoothd_was_killed(machine: Machine) -> None:
    seen, after = machine.journal.mark(), machine.broker.mark()
    await machine.bluetoothd.kill()
    machine.bluez.step("bluetoothd starts again")
    await machine.start_bluetoothd()
    for peripheral in machine.fleet.crowd:
        if peripheral is not machine.fleet.scribe:
            await subscribed(machine, peripheral.name, fleet.TEMPERATURE, seen)
    await machine.broker.heard("bluefleet/scribe/connection", {"state": "connected"}, after)
    await notifies(machine, machine.fleet.sensors.values())


@scenario
async def sigterm_leaves_none_of_the_links_behind(machine: Machine) -> None:
    connected = [each for each in machine.fleet.crowd if each.is_connected]
    seen = machine.journal.mark()
    assert await machine.stop_bridge() == 0, "the bridge did not end well"
    # Linux 6.12 ends one link after the other, which the bridge waits for, but not for ever.
    for peripheral in connected:
        await disconnected(machine, peripheral.name, seen)
