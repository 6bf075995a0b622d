"""The broker's side: what was published, as mosquitto_sub hears it, and publishing with mosquitto_pub."""

import asyncio
import json
import time
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from feed import Feed
from system import until

PORT = 1883
ADDRESS = ["-h", "127.0.0.1", "-p", str(PORT)]


@dataclass(frozen=True)
class Publication:
    time: float
    topic: str
    payload: str
    retained: bool

    @property
    def json(self) -> dict[str, Any]:
        """The payload as an object; empty where it is none."""
        try:
            value = json.loads(self.payload)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def value(self) -> Decimal:
        """The reading's value, digit by digit as it was sent."""
        return Decimal(json.loads(self.payload, parse_float=str, parse_int=str)["value"])

    def __str__(self) -> str:
        return f"{self.time:8.3f} {self.topic} {self.payload}"


class Broker(Feed[Publication]):
    """Everything published below `bluefleet/`, from the start on."""

    async def listen(self) -> None:
        """Starts listening; returns once the subscription holds."""
        self._listener = await asyncio.create_subprocess_exec(
            "mosquitto_sub", *ADDRESS, "-V", "mqttv5", "-F", "%j", "-t", "bluefleet/#", stdout=asyncio.subprocess.PIPE
        )
        self._reader = asyncio.create_task(self._read())
        await until("the subscription", self._hears)

    async def _hears(self) -> bool:
        await self.publish("bluefleet/probe", "")
        return bool(self.entries)

    async def _read(self) -> None:
        while line := await self._listener.stdout.readline():
            message = json.loads(line)
            self.add(
                Publication(
                    round(time.monotonic(), 3), message["topic"], message["payload"] or "", bool(message["retain"])
                )
            )

    async def publish(self, topic: str, payload: Any, *options: str) -> None:
        """Publishes text as it is and anything else as JSON."""
        text = payload if isinstance(payload, str) else json.dumps(payload)
        await run("mosquitto_pub", *ADDRESS, "-V", "mqttv5", "-q", "1", "-t", topic, "-m", text, *options)

    async def ask(self, topic: str, payload: Any, correlation: str) -> dict[str, Any]:
        """A request with Response Topic and Correlation Data: the answer as mosquitto_rr's `%J` shows it."""
        answer = await run(
            *["mosquitto_rr", *ADDRESS, "-V", "mqttv5", "-q", "1", "-W", "60", "-F", "%J"],
            *["-t", topic, "-e", "answers/here", "-m", json.dumps(payload)],
            *["-D", "publish", "correlation-data", correlation],
        )
        return json.loads(answer)

    async def retained(self, topic: str) -> Any:
        """What the broker keeps for `topic`, as JSON."""
        return json.loads(
            await run("mosquitto_sub", *ADDRESS, "-V", "mqttv5", "-C", "1", "-W", "20", "-t", topic, "-F", "%p")
        )

    async def heard(self, topic: str, what: dict[str, Any], after: int = 0, within: float = 60) -> Publication:
        """The first publication on `topic` whose payload has all that `what` says."""

        def fits(publication: Publication) -> bool:
            return publication.topic == topic and what.items() <= publication.json.items()

        return (await self.wait(f"{topic} with {json.dumps(what)}", fits, after, within))[0]

    def on(self, topic: str, after: int = 0) -> list[Publication]:
        return [publication for publication in self.entries[after:] if publication.topic == topic]


async def run(*command: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    output, errors = await process.communicate()
    assert process.returncode == 0, f"{command[0]} ended with {process.returncode}: {errors.decode().strip()}"
    return output.decode()
