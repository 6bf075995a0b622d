"""Expectations that several scenarios share."""

from collections.abc import Iterable

import fleet
from broker import Publication
from journal import Event
from machine import Machine
from peripheral import Peripheral


async def subscribed(machine: Machine, peripheral: str, uuid: str, after: int = 0) -> Event:
    def fits(event: Event) -> bool:
        return (event.peripheral, event.kind, event.uuid, event.value) == (peripheral, "cccd", uuid, "0100")

    return (await machine.journal.wait(f"{peripheral}: a subscription to {uuid}", fits, after, within=120))[0]


async def notifies(machine: Machine, sensors: Iterable[Peripheral]) -> None:
    """Sends a notification from each sensor, and expects one reading for each."""
    after, raw = machine.broker.mark(), {}
    for number, sensor in enumerate(sensors):
        raw[sensor.name] = 2000 + (after + number) % 1000
        await sensor.notify(fleet.TEMPERATURE, raw[sensor.name].to_bytes(2, "little").hex())
    for name, value in raw.items():
        topic = f"bluefleet/{name.replace('sensor ', 'sensors/')}/temperature"
        await machine.broker.received(topic, {"value": value / 100}, after)
        readings = machine.broker.on(topic, after)
        assert len(readings) == 1, f"one notification, {len(readings)} readings: {[str(each) for each in readings]}"


async def disconnected(machine: Machine, peripheral: str, after: int) -> None:
    await machine.journal.wait(
        f"{peripheral}: its disconnection", lambda e: (e.peripheral, e.kind) == (peripheral, "disconnected"), after
    )


async def refused(machine: Machine, device: str, verb: str, request: object, code: str) -> None:
    after = machine.broker.mark()
    await machine.broker.publish(f"bluefleet/{device}/request/{verb}", request)
    answer = await machine.broker.received(f"bluefleet/{device}/response/{verb}", {"status": "error"}, after)
    assert answer.json["error"]["code"] == code, f"{verb} {request}: {answer}"


async def answered_once(machine: Machine, device: str, verb: str, after: int) -> None:
    """Expects one response: the response to a second request arrives after all responses to the first."""
    end = machine.broker.mark()
    await machine.broker.publish(f"{device}/request/nonsense", {"transaction": end})
    await machine.broker.received(f"{device}/response/nonsense", {"transaction": end}, after)
    answers: list[Publication] = machine.broker.on(f"{device}/response/{verb}", after)
    assert len(answers) == 1, f"{len(answers)} responses: {[str(answer) for answer in answers]}"
