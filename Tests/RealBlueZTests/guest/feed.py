"""A growing list of events, with methods that wait for new ones."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

Entry = TypeVar("Entry")


class Feed(Generic[Entry]):
    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._news = asyncio.Event()
        self._failure: BaseException | None = None

    def add(self, entry: Entry) -> None:
        self.entries.append(entry)
        self._news.set()

    def ended(self, reader: asyncio.Task[None]) -> None:
        """Lets all waits fail if the task that adds the entries has failed."""
        self._failure = None if reader.cancelled() else reader.exception()
        self._news.set()

    def mark(self) -> int:
        """The current length: pass it as `after` to ignore earlier entries."""
        return len(self.entries)

    async def wait(
        self, what: str, found: Callable[[Entry], bool], after: int = 0, within: float = 60, count: int = 1
    ) -> list[Entry]:
        """Waits for `count` entries that `found` accepts, and returns them; earlier entries count too.

        After `within` seconds it fails with `what`.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + within
        while len(matches := [entry for entry in self.entries[after:] if found(entry)]) < count:
            if self._failure:
                raise AssertionError(f"no more entries can be read ({self._failure!r}): {what}") from self._failure
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), deadline - loop.time())
            except TimeoutError:
                seen = f" ({len(matches)} of {count})" if count > 1 else ""
                raise AssertionError(f"not seen within {within:.0f} s: {what}{seen}") from None
        return matches[:count]
