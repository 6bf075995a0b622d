"""The events of the peripherals, in order, in memory and as lines of JSON."""

import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from feed import Feed


@dataclass(frozen=True)
class Event:
    """One event of a peripheral, caused by a central.

    `kind` is `connected`, `disconnected`, `discover` (service discovery), `read`, `blob` (a further part of a long read),
    `write` (a request), `prepare` (a part of a long write), `command` (a write without response) or `cccd` (a write to
    the Client Characteristic Configuration of `uuid`). `uuid` is `2A6E/2901` for a descriptor. `value` is in hex.
    """

    time: float
    peripheral: str
    kind: str
    uuid: str = ""
    value: str = ""

    def __str__(self) -> str:
        return f"{self.time:8.3f} {self.peripheral}: {self.kind} {self.uuid} {self.value}".rstrip()


class Journal(Feed[Event]):
    def __init__(self, file: Path):
        super().__init__()
        self._file = file.open("w", buffering=1)

    def record(self, peripheral: str, kind: str, uuid: str = "", value: bytes = b"") -> None:
        event = Event(round(time.monotonic(), 3), peripheral, kind, uuid, value.hex())
        print(json.dumps(asdict(event)), file=self._file)
        self.add(event)

    def seen(self, peripheral: str, *kinds: str, after: int = 0) -> list[Event]:
        """The events of a peripheral of these kinds, by default of all kinds."""
        return [
            event
            for event in self.entries[after:]
            if event.peripheral == peripheral and (not kinds or event.kind in kinds)
        ]
