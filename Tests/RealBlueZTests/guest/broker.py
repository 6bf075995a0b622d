"""The broker: publications received with mosquitto_sub, and publishing with mosquitto_pub."""

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
PROBE = "bluefleet/probe"


@dataclass(frozen=True)
class Publication:
    time: float
    topic: str
    payload: str
    retained: bool
    # The gateway that has published it, according to its user property.
    gateway: str = ""

    @property
    def json(self) -> dict[str, Any]:
        """The payload as an object; empty if it is not a JSON object."""
        try:
            value = json.loads(self.payload)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def value(self) -> Decimal:
        """The value of a reading, with the digits as sent."""
        return Decimal(json.loads(self.payload, parse_float=str, parse_int=str)["value"])

    def __str__(self) -> str:
        return f"{self.time:8.3f} {self.topic} {self.payload}"


class Broker(Feed[Publication]):
    """All publications below `bluefleet/`."""

    def __init__(self) -> None:
        super().__init__()
        self._probes = 0

    async def listen(self) -> None:
        """Subscribes, and waits until the subscription is active."""
        self._listener = await asyncio.create_subprocess_exec(
            "mosquitto_sub", *ADDRESS, "-V", "mqttv5", "-F", "%j", "-t", "bluefleet/#", stdout=asyncio.subprocess.PIPE
        )
        self._reader = asyncio.create_task(self._read())
        self._reader.add_done_callback(self.ended)
        await until("the subscription", self._is_subscribed)

    async def _is_subscribed(self) -> bool:
        await self.publish(PROBE, "")
        return bool(self.entries)

    async def _catch_up(self) -> None:
        """Waits for all publications that the broker has received until now: another client may receive them earlier."""
        self._probes += 1
        probe = str(self._probes)
        await self.publish(PROBE, probe)
        await self.wait("the probe", lambda publication: publication.topic == PROBE and publication.payload == probe)

    async def _read(self) -> None:
        while line := await self._listener.stdout.readline():
            message = json.loads(line)
            properties = message.get("properties", {}).get("user-properties", {})
            # mosquitto_sub 2.1 writes a list of objects with one member each.
            if isinstance(properties, list):
                properties = {name: value for entry in properties for name, value in entry.items()}
            self.add(
                Publication(
                    round(time.monotonic(), 3),
                    message["topic"],
                    message["payload"] or "",
                    bool(message["retain"]),
                    properties.get("gateway", ""),
                )
            )

    async def publish(self, topic: str, payload: Any, *options: str) -> None:
        """Publishes a string unchanged, and any other value as JSON."""
        text = payload if isinstance(payload, str) else json.dumps(payload)
        await run("mosquitto_pub", *ADDRESS, "-V", "mqttv5", "-q", "1", "-t", topic, "-m", text, *options)

    async def ask(self, topic: str, payload: Any, correlation: str) -> dict[str, Any]:
        """Sends a request with Response Topic and Correlation Data; returns the response in mosquitto_rr's format `%J`.

        All that was published before the response has been received too.
        """
        answer = await run(
            *["mosquitto_rr", *ADDRESS, "-V", "mqttv5", "-q", "1", "-W", "60", "-F", "%J"],
            *["-t", topic, "-e", "answers/here", "-m", json.dumps(payload)],
            *["-D", "publish", "correlation-data", correlation],
        )
        await self._catch_up()
        return json.loads(answer)

    async def retained(self, topic: str) -> Any:
        """The retained message of a topic, as JSON."""
        return json.loads(
            await run("mosquitto_sub", *ADDRESS, "-V", "mqttv5", "-C", "1", "-W", "20", "-t", topic, "-F", "%p")
        )

    async def received(self, topic: str, what: dict[str, Any], after: int = 0, within: float = 60) -> Publication:
        """Waits for a publication on `topic` whose payload has all members of `what`."""

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
