"""Runs the commands of bluefleet, with their output in a pipe."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from machine import Machine


@dataclass(frozen=True)
class Outcome:
    """The exit status and the output of a command."""

    status: int
    output: str
    errors: str

    @property
    def json(self) -> Any:
        return json.loads(self.output)

    def __str__(self) -> str:
        return f"exit status {self.status}\n{self.output}\n{self.errors}"


async def run(machine: Machine, *arguments: str | Path, expecting: int = 0) -> Outcome:
    """Runs a command to its end, and fails if its exit status is not `expecting`."""
    process = await asyncio.create_subprocess_exec(
        machine.executable,
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    outcome = Outcome(process.returncode, output.decode(), errors.decode())
    assert outcome.status == expecting, f"{' '.join(map(str, arguments))}: {outcome}"
    return outcome


@asynccontextmanager
async def running(machine: Machine, *arguments: str) -> AsyncIterator[asyncio.StreamReader]:
    """Runs a command while its output is read, then interrupts it with Ctrl-C."""
    process = await asyncio.create_subprocess_exec(
        machine.executable, *arguments, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
    )
    try:
        yield process.stdout
    finally:
        process.send_signal(signal.SIGINT)
        status = await process.wait()
    assert status == 0, f"{' '.join(arguments)} ended with {status}"
