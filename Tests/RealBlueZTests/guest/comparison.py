"""The walk over `bluefleet simulate`, against the one over bluetoothd: both must say the same."""

import difflib
from pathlib import Path

from conversation import Conversation, Line
from differences import without_differences
from machine import Machine
from sequence import Walk, device_path
from simulated import simulation
from system import bluetoothd_version
from transcript import transcript


async def simulated_walk(machine: Machine) -> list[Line]:
    version = await bluetoothd_version()
    async with simulation(machine.executable, machine.fleet.specimen, version, machine.results) as (address, specimen):
        talk = await Conversation.begin(address)
        try:
            await Walk(talk, specimen).go()
        finally:
            talk.write(machine.results / "simulated-walk")
            talk.end()
    return talk.entries


def compare(real: list[Line], simulated: list[Line], address: str, results: Path) -> None:
    """Leaves both transcripts in the results; fails with the lines in which they differ."""
    device = device_path(address)
    texts = {
        name: plain(lines, device) for name, lines in {"bluetoothd": real, "the simulator": simulated}.items()
    }
    for name, lines in texts.items():
        (results / f"{name}.transcript".replace(" ", "-")).write_text("\n".join(lines) + "\n")
    difference = difflib.unified_diff(*texts.values(), *texts, lineterm="", n=3)
    assert texts["bluetoothd"] == texts["the simulator"], "they differ:\n" + "\n".join(difference)


def plain(lines: list[Line], device: str) -> list[str]:
    sentences = (each for title, said in transcript(lines, device) for each in [f"=== {title}", *said])
    return [part for sentence in sentences if (text := without_differences(sentence)) for part in text.split("\n")]
