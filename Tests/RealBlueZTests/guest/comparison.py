"""Compares the sequence of calls with `bluefleet simulate` and with bluetoothd: the messages must be equal."""

import difflib
from pathlib import Path

from conversation import Conversation, Line
from differences import without_differences
from machine import Machine
from sequence import Sequence, device_path
from simulated import simulation
from system import bluetoothd_version
from transcript import transcript


async def simulated_sequence(machine: Machine) -> list[Line]:
    version = await bluetoothd_version()
    async with simulation(machine.executable, machine.fleet.specimen, version, machine.results) as (address, specimen):
        talk = await Conversation.begin(address)
        try:
            await Sequence(talk, specimen).run()
        finally:
            talk.write(machine.results / "simulated-sequence")
            talk.end()
    return talk.entries


def compare(real: list[Line], simulated: list[Line], address: str, results: Path) -> None:
    """Writes both transcripts to the results, and fails with the lines that differ."""
    device = device_path(address)
    texts = {
        name: plain(lines, device) for name, lines in {"bluetoothd": real, "the simulator": simulated}.items()
    }
    for name, lines in texts.items():
        (results / f"{name}.transcript".replace(" ", "-")).write_text("\n".join(lines) + "\n")
    difference = difflib.unified_diff(*texts.values(), *texts, lineterm="", n=3)
    assert texts["bluetoothd"] == texts["the simulator"], "the transcripts differ:\n" + "\n".join(difference)


def plain(lines: list[Line], device: str) -> list[str]:
    sentences = (each for title, said in transcript(lines, device) for each in [f"=== {title}", *said])
    return [part for sentence in sentences if (text := without_differences(sentence)) for part in text.split("\n")]
