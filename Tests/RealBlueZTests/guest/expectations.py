"""What several scenarios look at."""

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
    """What each of the crowd's sensors notifies is one reading."""
    after, raw = machine.broker.mark(), {}
    for number, sensor in enumerate(sensors):
        raw[sensor.name] = 2000 + (after + number) % 1000
        await sensor.notify(fleet.TEMPERATURE, raw[sensor.name].to_bytes(2, "little").hex())
    for name, value in raw.items():
        topic = f"bluefleet/{name.replace('sensor ', 'sensors/')}/temperature"
        await machine.broker.heard(topic, {"value": value / 100}, after)
        readings = machine.broker.on(topic, after)
        assert len(readings) == 1, f"one notification, {len(readings)} readings: {[str(each) for each in readings]}"


async def disconnected(machine: Machine, peripheral: str, after: int) -> None:
    await machine.journal.wait(
        f"{peripheral}: the end of its link", lambda e: (e.peripheral, e.kind) == (peripheral, "disconnected"), after
    )


async def refused(machine: Machine, device: str, verb: str, request: object, code: str) -> None:
    after = machine.broker.mark()
    await machine.broker.publish(f"bluefleet/{device}/request/{verb}", request)
    answer = await machine.broker.heard(f"bluefleet/{device}/response/{verb}", {"status": "error"}, after)
    assert answer.json["error"]["code"] == code, f"{verb} {request}: {answer}"


async def answered_once(machine: Machine, device: str, verb: str, after: int) -> None:
    """A second request is answered after whatever the first one still had to say."""
    end = machine.broker.mark()
    await machine.broker.publish(f"{device}/request/nonsense", {"transaction": end})
    await machine.broker.heard(f"{device}/response/nonsense", {"transaction": end}, after)
    answers: list[Publication] = machine.broker.on(f"{device}/response/{verb}", after)
    assert len(answers) == 1, f"{len(answers)} responses: {[str(answer) for answer in answers]}"
