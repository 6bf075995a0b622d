"""bluetoothd and the simulator without a bridge. The sequence runs first, while bluetoothd has no devices."""

from comparison import compare, simulated_sequence
from conversation import Conversation
from machine import Machine
from other_client import bleak_uses_the_specimen
from scenario import scenario
from sequence import Sequence


@scenario
async def bluetoothd_answers_the_sequence_of_calls(machine: Machine) -> None:
    talk = await Conversation.begin()
    try:
        await Sequence(talk, machine.fleet.specimen).run()
    finally:
        talk.write(machine.results / "sequence")
        talk.end()
    machine.sequence = talk.entries


@scenario
async def the_simulator_answers_like_bluetoothd(machine: Machine) -> None:
    assert machine.sequence, "the sequence with bluetoothd did not finish"
    compare(machine.sequence, await simulated_sequence(machine), machine.fleet.specimen.address, machine.results)


@scenario
async def bleak_scans_connects_reads_writes_and_subscribes(machine: Machine) -> None:
    await bleak_uses_the_specimen(machine)
