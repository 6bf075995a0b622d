"""Runs every scenario in the test machine: `main.py BLUEFLEET [SCENARIO…]`.

Leaves one line of JSON for each in `scenarios.jsonl`: its name, how long it took and, if it failed, why and what was
seen meanwhile, or why it was not played.
"""

import asyncio
import json
import logging
import sys
import time
import traceback
from pathlib import Path

import scenarios  # noqa: F401 - which fills SCENARIOS
from machine import Machine
from scenario import SCENARIOS, NotHere, Scenario

RESULTS = Path("/run/results")
LOGS = ["bridge.log", "bluetoothd.log"]
# How many lines of each a failure shows.
SHOWN = 60


def title(scenario: Scenario) -> str:
    return scenario.__name__.replace("_", " ")


async def main(executable: Path, chosen: list[str]) -> int:
    machine = Machine(RESULTS, executable)
    await machine.start()
    print(f"up     {time.monotonic():6.1f} s  the machine, since its kernel started", flush=True)
    failures = 0
    with (RESULTS / "scenarios.jsonl").open("w", buffering=1) as results:
        for scenario in SCENARIOS:
            if chosen and title(scenario) not in chosen:
                continue
            begin, watch = time.monotonic(), Watch(machine)
            failure = not_played = ""
            try:
                await asyncio.wait_for(perform(scenario, machine), 240)
            except NotHere as reason:
                not_played = str(reason)
            except Exception as error:
                failures += 1
                failure = f"{describe(error)}\n{watch.seen()}"
            seconds = round(time.monotonic() - begin, 1)
            outcome = "failed" if failure else "ok"
            note = f", not played: {not_played}" if not_played else ""
            print(f"{outcome:6} {seconds:6.1f} s  {title(scenario)}{note}", flush=True)
            line = {"name": title(scenario), "seconds": seconds, "failure": failure, "notPlayed": not_played}
            print(json.dumps(line), file=results)
    return failures


async def perform(scenario: Scenario, machine: Machine) -> None:
    """Runs it, unless nothing can come of it any more."""
    assert not (machine.bridge and machine.bridge.has_ended), "the bridge is not running any more"
    assert not machine.bluetoothd.has_ended, f"bluetoothd has ended: {machine.bluetoothd.process.returncode}"
    await scenario(machine)


def describe(error: Exception) -> str:
    """What was not as it should be, and where; an error that no scenario foresaw with all its frames."""
    if isinstance(error, AssertionError):
        place = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
        return f"{error}\n{' > '.join(place[1:])}"
    return "".join(traceback.format_exception(error))


class Watch:
    """What everybody wrote during one scenario."""

    def __init__(self, machine: Machine):
        self.machine = machine
        self.journal = machine.journal.mark()
        self.broker = machine.broker.mark()
        self.logs = {name: self._size(name) for name in LOGS}

    def seen(self) -> str:
        parts = {
            "what the peripherals saw": "\n".join(map(str, self.machine.journal.entries[self.journal :])),
            "what the broker carried": "\n".join(map(str, self.machine.broker.entries[self.broker :])),
        }
        for name, begin in self.logs.items():
            if self._size(name) > begin:
                parts[name] = (RESULTS / name).read_bytes()[begin:].decode(errors="replace").rstrip()
        return "".join(f"\n--- {name}\n{end(text)}\n" for name, text in parts.items())

    def _size(self, name: str) -> int:
        return (RESULTS / name).stat().st_size if (RESULTS / name).exists() else 0


def end(text: str) -> str:
    """The last lines: what happened just before the failure; the files in the results have the others."""
    lines = text.split("\n")
    return "\n".join([f"({len(lines) - SHOWN} lines more)", *lines[-SHOWN:]] if len(lines) > SHOWN else lines)


logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(message)s")
sys.exit(1 if asyncio.run(main(Path(sys.argv[1]), sys.argv[2:])) else 0)
