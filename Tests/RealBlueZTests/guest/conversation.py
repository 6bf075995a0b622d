"""A client of org.bluez that records all messages, as text for reading and as JSON for comparing."""

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from feed import Feed

Line: TypeAlias = dict[str, Any]

BLUEZ = "org.bluez"
OBJECT_MANAGER = "org.freedesktop.DBus.ObjectManager"
PROPERTIES = "org.freedesktop.DBus.Properties"
RULES = [f"type='signal',sender='{BLUEZ}'", "type='signal',member='NameOwnerChanged',arg0='org.bluez'"]


class Conversation(Feed[Line]):
    def __init__(self, bus: MessageBus):
        super().__init__()
        self.bus = bus
        self._start = time.monotonic()
        self._step = 0
        # The names of the called methods, by serial number.
        self._called: dict[int, str] = {}

    @classmethod
    async def begin(cls, address: str | None = None) -> "Conversation":
        """Connects to the bus at `address`, by default to the system bus."""
        address = address or "unix:path=/run/dbus/system_bus_socket"
        bus = await MessageBus(bus_address=address, negotiate_unix_fd=True).connect()
        conversation = cls(bus)
        bus.add_message_handler(conversation._message)
        for rule in RULES:
            await bus.call(
                Message(
                    destination="org.freedesktop.DBus",
                    path="/org/freedesktop/DBus",
                    interface="org.freedesktop.DBus",
                    member="AddMatch",
                    signature="s",
                    body=[rule],
                )
            )
        return conversation

    async def set_powered(self, value: bool, adapter: str = "/org/bluez/hci0") -> None:
        """Switches the adapter, and waits for the change of the property."""
        self.step(f"the adapter is switched {'on' if value else 'off'}")
        variant = Variant("b", value)
        await self.call(adapter, PROPERTIES, "Set", "ssv", "org.bluez.Adapter1", "Powered", variant)
        await self.receive("Powered", changed(adapter, "Powered", value))

    async def is_powered(self, adapter: str = "/org/bluez/hci0") -> bool:
        reply = await self.call(adapter, PROPERTIES, "Get", "ss", "org.bluez.Adapter1", "Powered")
        return reply.message_type is MessageType.METHOD_RETURN and reply.body[0].value

    def end(self) -> None:
        self.bus.disconnect()

    def step(self, title: str) -> None:
        self._step = self.mark()
        self._add("step", title=title)

    async def call(self, path: str, interface: str, member: str, signature: str = "", *body: Any) -> Message:
        """Calls a method and returns the reply, which may be an error; times out after 60 s."""
        self._add("call", path=path, interface=interface, member=member, signature=signature, body=plain(list(body)))
        message = Message(
            destination=BLUEZ, path=path, interface=interface, member=member, signature=signature, body=list(body)
        )
        message.serial = self.bus.next_serial()
        self._called[message.serial] = member
        try:
            return await asyncio.wait_for(self.bus.call(message), 60)
        except TimeoutError:
            self._add("silence", member=member)
            raise

    async def begin_call(self, path: str, interface: str, member: str) -> asyncio.Task[Message]:
        """Calls a method without waiting for the reply."""
        task = asyncio.create_task(self.call(path, interface, member))
        await asyncio.sleep(0)  # starts the task, so that its call is sent before the next one
        return task

    async def objects(self) -> dict[str, dict[str, dict[str, Variant]]]:
        return (await self.call("/", OBJECT_MANAGER, "GetManagedObjects")).body[0]

    async def receive(self, what: str, found: Callable[[Line], bool]) -> None:
        """Waits for a message of the current step; earlier messages of the step count too."""
        await self.wait(what, found, after=self._step)

    def _message(self, message: Message) -> None:
        """Records signals and replies as they arrive, before the caller gets the reply."""
        member = self._called.pop(message.reply_serial, None)
        match message.message_type:
            case MessageType.SIGNAL if message.member != "NameAcquired":
                self._add(
                    "signal",
                    path=message.path,
                    interface=message.interface,
                    member=message.member,
                    signature=message.signature,
                    body=plain(message.body),
                )
            case MessageType.ERROR if member:
                self._add("error", member=member, name=message.error_name, body=plain(message.body))
            case MessageType.METHOD_RETURN if member:
                self._add("reply", member=member, signature=message.signature, body=plain(message.body))

    def _add(self, kind: str, **what: Any) -> None:
        self.add({"type": kind, "time": round(time.monotonic() - self._start, 3), **what})

    def write(self, file: Path) -> None:
        """Writes `file`.json and `file`.txt."""
        file.with_suffix(".json").write_text("\n".join(json.dumps(line) for line in self.entries) + "\n")
        file.with_suffix(".txt").write_text("\n".join(text(line) for line in self.entries) + "\n")


def changed(path: str, name: str, value: Any) -> Callable[[Line], bool]:
    """Matches a signal that the property `name` of `path` is now `value`.

    The signal is PropertiesChanged, or InterfacesAdded if the property changed before the object was signalled.
    """

    def found(line: Line) -> bool:
        match line:
            case {"type": "signal", "member": "PropertiesChanged", "path": where, "body": [_, properties, _]}:
                tables = [properties]
            case {"type": "signal", "member": "InterfacesAdded", "body": [where, interfaces]}:
                tables = list(interfaces.values())
            case _:
                return False
        return where == path and any(table.get(name, {}).get("value") == value for table in tables)

    return found


def added(path: str) -> Callable[[Line], bool]:
    return lambda line: line["type"] == "signal" and line["member"] == "InterfacesAdded" and line["body"][0] == path


def removed(path: str) -> Callable[[Line], bool]:
    return lambda line: line["type"] == "signal" and line["member"] == "InterfacesRemoved" and line["body"][0] == path


def plain(value: Any) -> Any:
    """Converts D-Bus values for JSON: bytes to hex, a variant to its signature and value."""
    match value:
        case Variant():
            return {"signature": value.signature, "value": plain(value.value)}
        case bytes() | bytearray():
            return value.hex()
        case dict():
            return {str(key): plain(each) for key, each in value.items()}
        case list() | tuple():
            return [plain(each) for each in value]
    return value


def text(line: Line) -> str:
    begin = f"{line['time']:8.3f} "
    match line["type"]:
        case "step":
            return f"\n=== {line['title']}"
        case "call":
            return f"{begin}-> {line['path']} {line['interface']}.{line['member']}({line['signature']}) " + pretty(
                line["body"]
            )
        case "reply":
            return f"{begin}<- {line['member']} ok ({line['signature']}) {pretty(line['body'])}"
        case "error":
            return f"{begin}<- {line['member']} ERROR {line['name']} {pretty(line['body'])}"
        case "silence":
            return f"{begin}<- {line['member']}: no answer"
        case "signal":
            return f"{begin}!! {line['path']} {line['member']} {pretty(line['body'])}"
    return f"{begin}{line}"


def pretty(value: Any, depth: int = 0) -> str:
    """One line per value for nested objects, else one line."""
    match value:
        case {"signature": signature, "value": inner}:
            return f"<{signature} {pretty(inner, depth)}>"
        case dict() if depth < 3 and any(isinstance(each, dict) and "signature" not in each for each in value.values()):
            indent = "\n" + " " * (12 + 4 * depth)
            return "".join(f"{indent}{key}: {pretty(each, depth + 1)}" for key, each in value.items())
        case dict():
            return "{" + ", ".join(f"{key}: {pretty(each, depth + 1)}" for key, each in value.items()) + "}"
        case list():
            return "[" + ", ".join(pretty(each, depth) for each in value) + "]"
        case str():
            return repr(value)
    return json.dumps(value)
