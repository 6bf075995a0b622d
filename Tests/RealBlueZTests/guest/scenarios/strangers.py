"""The machine itself, before there is a bridge; the walk comes first, while bluetoothd knows no device."""

from conversation import Conversation
from machine import Machine
from other_client import bleak_uses_the_specimen
from scenario import scenario
from sequence import Walk


@scenario
async def bluetoothd_answers_a_whole_walk(machine: Machine) -> None:
    talk = await Conversation.begin()
    try:
        await Walk(talk, machine.fleet.specimen).go()
    finally:
        talk.write(machine.results / "walk")
        talk.end()


@scenario
async def bleak_scans_connects_reads_writes_and_subscribes(machine: Machine) -> None:
    await bleak_uses_the_specimen(machine)
