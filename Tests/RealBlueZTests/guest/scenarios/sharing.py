"""Three gateways that share devices, each with an adapter of its own, on one bluetoothd."""

import asyncio

import fleet
from broker import Publication
from command import run
from expectations import answered_once, disconnected, notifies, subscribed
from gateways import Gateway
from machine import Machine
from peripheral import Peripheral
from scenario import scenario

BEACON = "bluefleet/beacon/temperature"
NEAR, FAR = -40, -70


@scenario
async def one_of_three_gateways_publishes_an_advertisement(machine: Machine) -> None:
    await machine.fleet.sensors_alone(2)
    await machine.fleet.relay.start()
    machine.fleet.beacon.start()
    attic, cellar, porch = await machine.add_gateways("attic", "cellar", "porch")
    for gateway in [attic, cellar, porch]:
        gateway.adapter.strengths[fleet.BEACON] = NEAR if gateway is attic else FAR
    # Each sensor is in range of one adapter: its gateway must become the owner.
    for gateway in [cellar, porch]:
        gateway.adapter.out_of_range.add(fleet.sensor_address(1))
    for gateway in [attic, porch]:
        gateway.adapter.out_of_range.add(fleet.sensor_address(2))
    seen, after = machine.journal.mark(), machine.broker.mark()
    for gateway in machine.gateways:
        await gateway.start()
    for number in (1, 2):
        await subscribed(machine, f"sensor {number}", fleet.TEMPERATURE, seen)
    await publishes_the_beacon(machine, attic, after)


@scenario
async def the_signal_strength_of_a_gateway_is_that_of_its_own_adapter(machine: Machine) -> None:
    answer = await machine.broker.ask("bluefleet/bridge/attic/request/fleet", {}, "decider")
    decider = answer["payload"]["data"]["decider"]
    answer = await machine.broker.ask(f"bluefleet/bridge/{decider}/request/fleet", {}, "strengths")
    strengths = answer["payload"]["data"]["devices"]["beacon"]["signals"]
    assert strengths == {"attic": NEAR, "cellar": FAR, "porch": FAR}, strengths


@scenario
async def one_of_three_gateways_connects_to_a_device(machine: Machine) -> None:
    attic, cellar, _ = machine.gateways
    sensors = [machine.fleet.sensors[number] for number in (1, 2)]
    assert [owner(machine, sensor) for sensor in sensors] == [attic, cellar]
    await notifies(machine, sensors)
    for gateway in machine.gateways:
        gateway.adapter.out_of_range.clear()


@scenario
async def one_of_three_gateways_carries_out_a_write(machine: Machine) -> None:
    seen, after = machine.journal.mark(), machine.broker.mark()
    await machine.broker.publish("bluefleet/relay/output/set", 3)
    await machine.broker.received("bluefleet/relay/response/set", {"status": "ok"}, after)
    await answered_once(machine, "bluefleet/relay", "set", after)
    writes = machine.journal.seen("relay", "write", after=seen)
    written = [event.value for event in writes if event.uuid == fleet.RELAY_OUTPUT]
    assert written == ["03"], f"the relay saw {written}"
    await machine.fleet.relay.hide()


@scenario
async def a_killed_gateway_goes_on_with_its_connection_after_its_restart(machine: Machine) -> None:
    _, cellar, _ = machine.gateways
    sensor, seen = machine.fleet.sensors[2], machine.journal.mark()
    await cellar.kill()
    await cellar.start()
    await subscribed(machine, sensor.name, fleet.TEMPERATURE, seen)
    await notifies(machine, [sensor])
    links = machine.journal.seen(sensor.name, "connected", "disconnected", after=seen)
    assert not links, f"the connection was not kept: {[str(event) for event in links]}"


@scenario
async def release_ends_the_connections_of_a_killed_gateway_only_and_another_one_goes_on(machine: Machine) -> None:
    attic, cellar, _ = machine.gateways
    sensor, other = machine.fleet.sensors[1], machine.fleet.sensors[2]
    seen, after = machine.journal.mark(), machine.broker.mark()
    await attic.kill()
    released = await run(machine, "release", "--config", attic.file)
    assert released.output == "disconnected: sensors/1\n", released
    await subscribed(machine, sensor.name, fleet.TEMPERATURE, seen)
    await notifies(machine, [sensor, other])
    assert owner(machine, sensor) is not attic
    assert owner(machine, other) is cellar
    links = machine.journal.seen(other.name, "connected", "disconnected", after=seen)
    assert not links, f"the connection of another gateway was ended: {[str(event) for event in links]}"
    await machine.broker.wait(
        "a reading of the beacon by another gateway",
        lambda each: each.topic == BEACON and each.gateway != attic.name,
        after,
    )


@scenario
async def a_restarted_gateway_leaves_the_connections_of_the_others_alone(machine: Machine) -> None:
    attic, _, _ = machine.gateways
    sensors = [machine.fleet.sensors[number] for number in (1, 2)]
    owners, seen, after = [owner(machine, sensor) for sensor in sensors], machine.journal.mark(), machine.broker.mark()
    await attic.start()
    topic = f"bluefleet/bridge/{attic.name}/adapters"
    await machine.broker.wait(topic, lambda each: each.topic == topic and each.json.get("adapters"), after)
    # bluetoothd ends a connection 2 s after the request.
    answer = await machine.broker.ask(f"bluefleet/bridge/{attic.name}/request/scan", {"for": "3s"}, "scan")
    devices = {device["address"]: device["rssi"] for device in answer["payload"]["data"]["devices"]}
    # A device without a connection may advertise too; those of the other gateways are connected.
    assert devices.get(fleet.BEACON) == NEAR, devices
    assert not devices.keys() & {sensor.address for sensor in sensors}, devices
    machine.fleet.beacon.hide()
    await notifies(machine, sensors)
    assert [owner(machine, sensor) for sensor in sensors] == owners
    for sensor in sensors:
        links = machine.journal.seen(sensor.name, "connected", "disconnected", after=seen)
        assert not links, f"the connection of another gateway was ended: {[str(event) for event in links]}"


@scenario
async def another_gateway_connects_to_a_device_that_left_the_range_of_its_owner(machine: Machine) -> None:
    sensor, seen = machine.fleet.sensors[2], machine.journal.mark()
    former = owner(machine, sensor)
    former.adapter.out_of_range.add(sensor.address)
    await sensor.drop_link()
    await disconnected(machine, sensor.name, seen)
    await subscribed(machine, sensor.name, fleet.TEMPERATURE, seen)
    await notifies(machine, [sensor])
    assert owner(machine, sensor) is not former


@scenario
async def stopped_gateways_leave_no_connection(machine: Machine) -> None:
    connected = [each for each in machine.fleet.sensors.values() if each.is_connected]
    seen = machine.journal.mark()
    statuses = await asyncio.gather(*(gateway.stop() for gateway in machine.gateways))
    assert statuses == [0, 0, 0], f"exit codes {statuses}"
    for sensor in connected:
        await disconnected(machine, sensor.name, seen)
    await machine.remove_gateways()


def owner(machine: Machine, peripheral: Peripheral) -> Gateway:
    """The gateway whose adapter is connected to a peripheral."""
    owners = [gateway for gateway in machine.gateways if gateway.adapter.holds(peripheral.address_on_air)]
    assert len(owners) == 1, f"{peripheral.name} is connected to {[gateway.name for gateway in owners]}"
    return owners[0]


async def publishes_the_beacon(machine: Machine, gateway: Gateway, after: int) -> None:
    """Waits until a gateway publishes the beacon; from then on, it alone does, and each value once."""

    def is_reading(publication: Publication) -> bool:
        return (publication.topic, publication.gateway) == (BEACON, gateway.name)

    await machine.broker.wait(f"a reading of the beacon by {gateway.name}", is_reading, after, within=120)
    after = machine.broker.mark()
    await machine.broker.wait(f"more readings by {gateway.name}", is_reading, after, count=3)
    readings = machine.broker.on(BEACON, after)
    assert all(map(is_reading, readings)), f"other gateways too: {[reading.gateway for reading in readings]}"
    values = [reading.value for reading in readings]
    assert len(set(values)) == len(values), f"published twice: {values}"
