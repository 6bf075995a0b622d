"""One bridge with the house, from its start to its end."""

from collections.abc import Awaitable
from pathlib import Path

import fleet
from bridge import HOUSE
from expectations import answered_once, disconnected, refused, subscribed
from machine import Machine
from scenario import scenario
from system import until

# The requests of bluetoothd 5.66 and 5.82 themselves at each connection: the GATT service, the name and the appearance
# for the GAP profile, and the level for the battery profile, which also subscribes to it.
BLUETOOTHD = {
    ("cccd", "2A05"),
    ("write", "2B29"),
    ("read", "2B2A"),
    ("read", "2B3A"),
    ("read", "2A00"),
    ("read", "2A01"),
    ("read", "2A04"),
    ("read", "2A19"),
    ("cccd", "2A19"),
}


# Start


@scenario
async def the_bridge_connects_to_its_device(machine: Machine) -> None:
    after = machine.journal.mark()
    await machine.start_bridge(HOUSE)
    await machine.broker.received("bluefleet/bridge/machine/state", {"state": "online"})
    connection = await machine.broker.received("bluefleet/greenhouse/connection", {"state": "connected"})
    await machine.broker.received("bluefleet/greenhouse/availability", {"state": "online"})
    assert machine.journal.seen("greenhouse", "connected", after=after), "the peripheral saw no connection"
    assert connection.json["mtu"] == 517, connection

    async def is_retained() -> bool:
        # On a slow machine the first connection may time out and be made again.
        return (await machine.broker.retained("bluefleet/greenhouse/connection"))["state"] == "connected"

    await until("the retained state", is_retained)


@scenario
async def the_bridge_uses_only_configured_characteristics(machine: Machine) -> None:
    await subscribed(machine, "greenhouse", fleet.TEMPERATURE)
    await subscribed(machine, "greenhouse", fleet.HUMIDITY)
    await machine.broker.received("bluefleet/greenhouse/battery", {"value": 93})
    configured = {("cccd", "2A6E"), ("cccd", "2A6F"), ("read", "2A19")}
    touched = {(e.kind, e.uuid) for e in machine.journal.seen("greenhouse") if e.uuid}
    assert touched <= configured | BLUETOOTHD, f"also touched: {sorted(touched - configured - BLUETOOTHD)}"
    assert not machine.fleet.specimen.is_connected, "the bridge connected to a device that is not configured"


@scenario
async def notifications_become_readings_in_order(machine: Machine) -> None:
    after = machine.broker.mark()
    raw = range(2001, 2021)
    for value in raw:
        await machine.fleet.greenhouse.notify(fleet.TEMPERATURE, value.to_bytes(2, "little").hex())
    await machine.fleet.greenhouse.notify(fleet.HUMIDITY, "8813")
    await machine.broker.received("bluefleet/greenhouse/humidity", {"value": 50, "unit": "%"}, after)
    readings = await machine.broker.wait(
        "20 temperatures", lambda p: p.topic == "bluefleet/greenhouse/temperature", after, count=20
    )
    assert [reading.value * 100 for reading in readings] == list(raw), [str(reading) for reading in readings]
    assert all(reading.json["unit"] == "°C" and reading.json["time"].endswith("Z") for reading in readings)


@scenario
async def a_value_of_the_wrong_size_is_reported_as_decode_failed(machine: Machine) -> None:
    after = machine.broker.mark()
    await machine.fleet.greenhouse.notify(fleet.TEMPERATURE, "69")
    event = await machine.broker.received(
        "bluefleet/bridge/machine/event", {"type": "decode_failed", "device": "greenhouse"}, after
    )
    assert event.json["characteristic"] == "temperature" and event.json["hex"] == "69", event
    await machine.fleet.greenhouse.notify(fleet.TEMPERATURE, "6908")
    await machine.broker.received("bluefleet/greenhouse/temperature", {"value": 21.53}, after)
    readings = machine.broker.on("bluefleet/greenhouse/temperature", after)
    assert len(readings) == 1, f"expected one reading, got {len(readings)}: {[str(r) for r in readings]}"


# Commands


@scenario
async def get_reads_the_value_and_responds_once(machine: Machine) -> None:
    after, seen = machine.broker.mark(), machine.journal.mark()
    await machine.broker.publish("bluefleet/greenhouse/temperature/get", "")
    await machine.broker.received("bluefleet/greenhouse/response/get", {"status": "ok"}, after)
    await machine.broker.received("bluefleet/greenhouse/temperature", {"value": 21.53}, after)
    reads = [event for event in machine.journal.seen("greenhouse", "read", after=seen) if event.uuid == "2A6E"]
    assert len(reads) == 1, f"the peripheral saw {len(reads)} reads"
    await answered_once(machine, "bluefleet/greenhouse", "get", after)


@scenario
async def read_responds_with_the_transaction(machine: Machine) -> None:
    after = machine.broker.mark()
    request = {"characteristic": "humidity", "transaction": {"of": [1, "two"]}}
    await machine.broker.publish("bluefleet/greenhouse/request/read", request)
    answer = await machine.broker.received("bluefleet/greenhouse/response/read", {"status": "ok"}, after)
    assert answer.json["transaction"] == request["transaction"] and answer.json["data"]["value"] == 50, answer
    await answered_once(machine, "bluefleet/greenhouse", "read", after)


@scenario
async def a_request_is_answered_on_its_response_topic(machine: Machine) -> None:
    request = {"characteristic": "humidity"}
    answer = await machine.broker.ask("bluefleet/greenhouse/request/read", request, correlation="number 7")
    assert answer["payload"]["status"] == "ok", answer
    assert answer["properties"]["correlation-data"] == "number 7", answer


@scenario
async def set_writes_with_response_to_a_device_on_demand(machine: Machine) -> None:
    after, seen = machine.broker.mark(), machine.journal.mark()
    await machine.broker.publish("bluefleet/relay/output/set", {"channel": 1, "level": 10})
    await machine.broker.received("bluefleet/relay/response/set", {"status": "ok"}, after)
    writes = [e for e in machine.journal.seen("relay", "write", "command", after=seen) if e.uuid == fleet.RELAY_OUTPUT]
    assert [(write.kind, write.value) for write in writes] == [("write", "010064")], [str(w) for w in writes]
    await answered_once(machine, "bluefleet/relay", "set", after)


@scenario
async def a_write_without_response_is_a_command(machine: Machine) -> None:
    after, seen = machine.broker.mark(), machine.journal.mark()
    await machine.broker.publish("bluefleet/relay/blink/set", {"times": 3})
    await machine.broker.received("bluefleet/relay/response/set", {"status": "ok"}, after)
    commands = await machine.journal.wait("the write", lambda e: e.uuid == fleet.RELAY_BLINK, seen)
    assert (commands[0].kind, commands[0].value) == ("command", "03"), commands[0]
    after, seen = machine.broker.mark(), machine.journal.mark()
    request = {"characteristic": "blink", "value": {"hex": "04"}, "response": False}
    await machine.broker.publish("bluefleet/relay/request/write", request)
    await machine.broker.received("bluefleet/relay/response/write", {"status": "ok"}, after)
    commands = await machine.journal.wait("the write", lambda e: e.uuid == fleet.RELAY_BLINK, seen)
    assert (commands[0].kind, commands[0].value) == ("command", "04"), commands[0]
    await answered_once(machine, "bluefleet/relay", "write", after)


@scenario
async def a_write_that_is_not_configured_is_rejected(machine: Machine) -> None:
    seen = machine.journal.mark()
    await refused(machine, "relay", "write", {"characteristic": "secret", "value": 7}, "not_allowed")
    await refused(machine, "greenhouse", "write", {"characteristic": "temperature", "value": 1}, "not_allowed")
    await refused(machine, "relay", "write", {"characteristic": "nonsense", "value": 7}, "unknown_characteristic")
    await refused(machine, "relay", "write", {"characteristic": "output", "value": {"channel": 300, "level": 1}}, "invalid_value")
    await refused(machine, "relay", "write", "not JSON", "bad_request")
    await refused(machine, "relay", "nonsense", {}, "unknown_verb")
    writes = machine.journal.seen("relay", "write", "command", after=seen)
    assert not [w for w in writes if w.uuid.startswith("6e4")], f"unexpected writes: {[str(w) for w in writes]}"


@scenario
async def a_device_on_demand_is_disconnected_after_its_hold(machine: Machine) -> None:
    if machine.fleet.relay.is_connected:
        await disconnected(machine, "relay", after=machine.journal.mark())
    availability = await machine.broker.retained("bluefleet/relay/availability")
    assert availability["state"] == "asleep", availability


@scenario
async def collect_cancels_its_subscriptions_before_it_disconnects(machine: Machine) -> None:
    await machine.broker.received("bluefleet/freezer/temperature", {"value": 21.53})
    after, seen = machine.broker.mark(), machine.journal.mark()
    await machine.broker.publish("bluefleet/freezer/request/collect", {"transaction": "c"})
    answer = await machine.broker.received("bluefleet/freezer/response/collect", {"transaction": "c"}, after)
    assert answer.json["status"] == "ok", answer
    data = answer.json["data"]
    assert data["temperature"]["value"] == 21.53 and data["humidity"]["value"] == 50, answer
    await disconnected(machine, "freezer", after=seen)
    events = machine.journal.seen("freezer", after=seen)
    for uuid in ("2A6E", "2A6F"):
        subscriptions = [event.value for event in events if event.kind == "cccd" and event.uuid == uuid]
        assert subscriptions == ["0100", "0000"], f"subscriptions to {uuid}: {subscriptions}"
    assert [e.kind for e in events].count("disconnected") == 1 and events[-1].kind == "disconnected", events[-1]
    await answered_once(machine, "bluefleet/freezer", "collect", after)


# Failures


@scenario
async def a_device_reconnects_after_the_peripheral_has_disconnected(machine: Machine) -> None:
    after, seen = machine.broker.mark(), machine.journal.mark()
    await machine.fleet.greenhouse.drop_link()
    await reconnects(machine, after, seen)


@scenario
async def a_device_reconnects_after_bluetoothd_was_restarted(machine: Machine) -> None:
    await survives(machine, machine.bluetoothd.stop())


@scenario
async def a_device_reconnects_after_bluetoothd_was_killed(machine: Machine) -> None:
    await survives(machine, machine.bluetoothd.kill())


@scenario
async def a_device_reconnects_after_the_adapter_was_off(machine: Machine) -> None:
    after, seen = machine.broker.mark(), machine.journal.mark()
    await machine.bluez.set_powered(False)
    await machine.broker.received("bluefleet/greenhouse/connection", {"state": "disconnected"}, after)
    await refused(machine, "relay", "write", {"characteristic": "blink", "value": 1, "ttl": "1s"}, "bluetooth_off")
    await machine.bluez.set_powered(True)
    await reconnects(machine, after, seen)
    await disconnected(machine, "freezer", after=seen)


@scenario
async def the_bridge_has_one_thread(machine: Machine) -> None:
    threads = list(Path(f"/proc/{machine.bridge.pid}/task").iterdir())
    assert len(threads) == 1, f"{len(threads)} threads"


@scenario
async def every_request_had_exactly_one_response(machine: Machine) -> None:
    answers: dict[str, int] = {}
    for publication in machine.broker.entries:
        if "/response/" in publication.topic and "transaction" in publication.json:
            key = f"{publication.topic} {publication.json['transaction']}"
            answers[key] = answers.get(key, 0) + 1
    assert answers, "there were no requests"
    assert not (twice := [key for key, count in answers.items() if count != 1]), f"not answered exactly once: {twice}"


@scenario
async def sigterm_ends_the_connections(machine: Machine) -> None:
    after, seen = machine.broker.mark(), machine.journal.mark()
    status = await machine.stop_bridge()
    assert status == 0, f"the bridge ended with {status}"
    await machine.broker.received("bluefleet/bridge/machine/state", {"state": "offline"}, after)
    await disconnected(machine, "greenhouse", after=seen)
    cancelled = [e.uuid for e in machine.journal.seen("greenhouse", "cccd", after=seen) if e.value == "0000"]
    assert {"2A6E", "2A6F"} <= set(cancelled), f"cancelled before the end: {cancelled}"
    for path, interfaces in (await machine.bluez.objects()).items():
        if "org.bluez.Device1" in interfaces:
            assert not interfaces["org.bluez.Device1"]["Connected"].value, f"{path} is still connected"


async def survives(machine: Machine, end: Awaitable[object]) -> None:
    """Ends bluetoothd and starts it again."""
    after, seen = machine.broker.mark(), machine.journal.mark()
    await end
    await machine.broker.received("bluefleet/greenhouse/connection", {"state": "disconnected"}, after)
    machine.bluez.step("bluetoothd starts again")
    await machine.start_bluetoothd()
    await reconnects(machine, after, seen)
    # Wait for the next session of the freezer: bluetoothd 5.66 crashes if the adapter is switched off during a Connect.
    await disconnected(machine, "freezer", after=seen)


async def reconnects(machine: Machine, after: int, seen: int) -> None:
    """Expects the greenhouse to be connected and subscribed again, with one reading per notification."""
    await machine.broker.received("bluefleet/greenhouse/connection", {"state": "disconnected"}, after)
    await subscribed(machine, "greenhouse", fleet.TEMPERATURE, seen)
    await subscribed(machine, "greenhouse", fleet.HUMIDITY, seen)
    await machine.broker.received("bluefleet/greenhouse/connection", {"state": "connected"}, after)
    after = machine.broker.mark()
    await machine.fleet.greenhouse.notify(fleet.TEMPERATURE, "d007")
    await machine.fleet.greenhouse.notify(fleet.TEMPERATURE, "6908")
    await machine.broker.received("bluefleet/greenhouse/temperature", {"value": 21.53}, after)
    values = [reading.json["value"] for reading in machine.broker.on("bluefleet/greenhouse/temperature", after)]
    assert values == [20, 21.53], f"the readings were {values}"
