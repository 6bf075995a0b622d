"""Provides an adapter and the peripherals of the house until it is stopped: `house.py`."""

import asyncio
from pathlib import Path

from fleet import Fleet
from journal import Journal
from radio import Air, plug_in_adapter


async def main() -> None:
    air = Air()
    _adapter = await plug_in_adapter(air)
    await Fleet(air, Journal(Path("/run/house.jsonl"))).start()
    await asyncio.Event().wait()


asyncio.run(main())
