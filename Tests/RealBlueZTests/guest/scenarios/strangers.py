"""The machine itself, before there is a bridge; the walk comes first, while bluetoothd knows no device."""

from comparison import compare, simulated_walk
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
    machine.walk = talk.entries


@scenario
async def the_simulator_says_what_bluetoothd_says(machine: Machine) -> None:
    assert machine.walk, "the walk over bluetoothd did not come to its end"
    compare(machine.walk, await simulated_walk(machine), machine.fleet.specimen.address, machine.results)


@scenario
async def bleak_scans_connects_reads_writes_and_subscribes(machine: Machine) -> None:
    await bleak_uses_the_specimen(machine)
