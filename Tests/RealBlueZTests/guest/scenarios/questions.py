"""A battery that only answers questions, and a sensor that notifies at the same time."""

import asyncio

import fleet
from bridge import GATEWAY
from expectations import subscribed
from machine import Machine
from scenario import scenario

ASKING = f"""\
{GATEWAY}
devices:
  battery:
    address: {fleet.BATTERY}
    connect: always
    endian: big
    characteristics:
      pack:
        ask:
          service: {fleet.BATTERY_QUESTIONS}
          to: {fleet.QUESTION}
          hex: "DDA50300FFFD77"
        answer:
          from: {fleet.ANSWER}
          starts_with: "DD0300"
          length: {{at: 3, plus: 7}}
          checksum: {{type: negative_sum, from: 2, bytes: 2, endian: big}}
          ends_with: "77"
        format:
          - {{name: voltage, at: 4, type: uint16, scale: 0.01, unit: V}}
          - {{name: charge, at: 23, type: uint8, unit: "%"}}
  sensors/1:
    address: {fleet.sensor_address(1)}
    connect: always
    characteristics:
      temperature: {{service: 181A, uuid: 2A6E, subscribe: true}}
"""


def answer(voltage: int, charge: int) -> bytes:
    """The answer with a voltage in units of 0.01 V and a charge in percent."""
    content = bytes([0, 27]) + voltage.to_bytes(2, "big") + bytes(17) + bytes([charge]) + bytes(7)
    return b"\xdd\x03" + content + (-sum(content) & 0xFFFF).to_bytes(2, "big") + b"\x77"


class Battery:
    """Answers each question with the next answer, in five pieces; the sensor notifies before each piece."""

    def __init__(self, machine: Machine, *answers: bytes):
        self.battery, self.sensor = machine.fleet.battery, machine.fleet.sensors[1]
        self.answers = list(answers)
        self.battery.on_write = lambda _: self._begin()

    def _begin(self) -> None:
        self._task = asyncio.create_task(self._send(self.answers.pop(0) if self.answers else b""))

    async def _send(self, answer: bytes) -> None:
        for begin in range(0, len(answer), 7):
            await self.sensor.notify(fleet.TEMPERATURE, (2000 + begin).to_bytes(2, "little").hex())
            await self.battery.notify(fleet.ANSWER, answer[begin : begin + 7].hex())


@scenario
async def an_answer_in_five_pieces_is_one_reading_while_another_peripheral_notifies(machine: Machine) -> None:
    after, seen = machine.broker.mark(), machine.journal.mark()
    await machine.start_bridge(ASKING)
    await subscribed(machine, "sensor 1", fleet.TEMPERATURE, seen)
    whole = answer(1330, 79)
    assert len(whole) == 34, whole.hex()
    Battery(machine, whole)
    await machine.fleet.battery.start()
    await machine.broker.received("bluefleet/battery/pack", {"voltage": 13.3, "charge": 79}, after)
    for begin in range(0, len(whole), 7):
        await machine.broker.received("bluefleet/sensors/1/temperature", {"value": 20 + begin / 100}, after)
    assert len(machine.broker.on("bluefleet/battery/pack", after)) == 1, "more than one reading"


@scenario
async def a_damaged_answer_is_no_reading_and_the_question_is_repeated(machine: Machine) -> None:
    after, seen = machine.broker.mark(), machine.journal.mark()
    damaged = bytearray(answer(1330, 79))
    damaged[5] ^= 0x10
    Battery(machine, bytes(damaged), answer(1331, 78))
    response = await machine.broker.ask("bluefleet/battery/pack/get", {}, "get")
    assert response["payload"]["status"] == "ok", response
    asked = [event for event in machine.journal.seen("battery", "command", after=seen) if event.uuid == fleet.QUESTION]
    assert len(asked) == 2, [str(event) for event in asked]
    readings = [reading.json for reading in machine.broker.on("bluefleet/battery/pack", after)]
    assert [(reading["voltage"], reading["charge"]) for reading in readings] == [(13.31, 78)], readings
    Battery(machine)
    response = await machine.broker.ask("bluefleet/battery/pack/get", {"ttl": "60s"}, "get again")
    assert response["payload"]["error"]["code"] == "timeout", response
    assert len(machine.broker.on("bluefleet/battery/pack", after)) == 1, "a reading without an answer"
    assert await machine.stop_bridge() == 0, "the bridge failed on its end"
    await machine.fleet.battery.hide()
