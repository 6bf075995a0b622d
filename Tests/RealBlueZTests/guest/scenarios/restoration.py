"""A killed bridge: the connections that the next bridge adopts or ends."""

import json
from pathlib import Path

import fleet
from bridge import CROWD, HOUSE, STATE
from expectations import disconnected, subscribed
from machine import Machine
from scenario import scenario
from system import until


@scenario
async def the_connection_of_a_killed_bridge_is_adopted(machine: Machine) -> None:
    after, seen = machine.broker.mark(), machine.journal.mark()
    await machine.start_bridge(HOUSE)
    await machine.broker.received("bluefleet/greenhouse/battery", {"value": 93}, after)
    await subscribed(machine, "greenhouse", fleet.TEMPERATURE, seen)
    await subscribed(machine, "greenhouse", fleet.HUMIDITY, seen)
    # After a reading of each, both subscriptions are active in bluetoothd.
    await machine.fleet.greenhouse.notify(fleet.TEMPERATURE, "6908")
    await machine.fleet.greenhouse.notify(fleet.HUMIDITY, "8813")
    await machine.broker.received("bluefleet/greenhouse/temperature", {"value": 21.53}, after)
    await machine.broker.received("bluefleet/greenhouse/humidity", {"value": 50}, after)
    await machine.kill_bridge()
    await machine.broker.received("bluefleet/bridge/machine/state", {"state": "offline"}, after)

    after, seen = machine.broker.mark(), machine.journal.mark()
    await machine.start_bridge(HOUSE)
    await machine.broker.received("bluefleet/greenhouse/battery", {"value": 93}, after)
    for uuid in (fleet.TEMPERATURE, fleet.HUMIDITY):
        await subscribed(machine, "greenhouse", uuid, seen)
        subscriptions = [e.value for e in machine.journal.seen("greenhouse", "cccd", after=seen) if e.uuid == uuid]
        # bluetoothd cancels the subscriptions of the killed bridge.
        assert subscriptions in (["0100"], ["0000", "0100"]), f"subscriptions to {uuid}: {subscriptions}"
    again = machine.journal.seen("greenhouse", "connected", "disconnected", "discover", after=seen)
    assert not again, f"the connection was not adopted: {[str(event) for event in again]}"


@scenario
async def each_notification_of_an_adopted_connection_is_one_reading(machine: Machine) -> None:
    after = machine.broker.mark()
    await machine.fleet.greenhouse.notify(fleet.TEMPERATURE, "d007")
    await machine.fleet.greenhouse.notify(fleet.TEMPERATURE, "6908")
    await machine.broker.received("bluefleet/greenhouse/temperature", {"value": 21.53}, after)
    values = [reading.json["value"] for reading in machine.broker.on("bluefleet/greenhouse/temperature", after)]
    assert values == [20, 21.53], f"the readings were {values}"


@scenario
async def an_adopted_connection_that_is_not_configured_is_ended(machine: Machine) -> None:
    await until("the stored connection", greenhouse_is_remembered)
    await machine.kill_bridge()
    seen = machine.journal.mark()
    await machine.start_bridge(CROWD)
    await disconnected(machine, "greenhouse", after=seen)
    assert await machine.stop_bridge() == 0, "the bridge failed on its end"


async def greenhouse_is_remembered() -> bool:
    file = Path(STATE, "peripherals.json")
    known = json.loads(file.read_text())["peripherals"] if file.exists() else []
    return any(each["name"] == "greenhouse" and each["connected"] for each in known)
