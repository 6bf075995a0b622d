"""The messages of a conversation without the parts that differ between runs.

Paths contain UUIDs in place of handles. Signal strengths, handles and other devices are left out.
"""

import re
from collections.abc import Iterator
from typing import Any

from conversation import Line

HANDLE = re.compile(r"/(?:service|char|desc)[0-9a-f]{4}")
UNSTABLE = {"RSSI", "Handle"}


def transcript(lines: list[Line], device: str) -> list[tuple[str, list[str]]]:
    """The steps by title, each with its messages about `device` and its adapter.

    Messages about the battery come last: bluetoothd reads the level by itself, at any time.
    """
    steps: list[tuple[str, list[str]]] = []
    names = Names()
    for line in lines:
        names.learn(line)
        if line["type"] == "step":
            steps.append((line["title"], []))
        elif steps and (said := sentence(line, device, names)):
            steps[-1][1].append(said)
    return [(title, sorted(said, key=is_about_battery)) for title, said in steps]


def is_about_battery(sentence: str) -> bool:
    return sentence.startswith("signal Interfaces") and "org.bluez.Battery1" in sentence


class Names:
    """Converts paths of attributes to UUIDs: `/org/bluez/hci0/dev_C0…/181a/2a6e/2902`."""

    def __init__(self) -> None:
        self._uuids: dict[str, str] = {}

    def learn(self, line: Line) -> None:
        for path, interfaces in objects(line):
            for interface, properties in interfaces.items():
                if interface.startswith("org.bluez.Gatt") and "UUID" in properties:
                    self._uuids[path] = short(properties["UUID"]["value"])

    def plain(self, path: str) -> str:
        if not HANDLE.search(path):
            return path
        parent, _, _ = path.rpartition("/")
        return f"{self.plain(parent)}/{self._uuids.get(path, '?')}"


def objects(line: Line) -> Iterator[tuple[str, dict[str, Any]]]:
    match line:
        case {"type": "signal", "member": "InterfacesAdded", "body": [path, interfaces]}:
            yield path, interfaces
        case {"type": "reply", "member": "GetManagedObjects", "body": [tree]}:
            yield from tree.items()


def short(uuid: str) -> str:
    return uuid[4:8] if uuid.startswith("0000") and uuid.endswith("-0000-1000-8000-00805f9b34fb") else uuid[:8]


def sentence(line: Line, device: str, names: Names) -> str | None:
    """One message as text; None if it is not about the device or its adapter."""

    def concerns(path: str) -> bool:
        return path == device or path.startswith(device + "/") or "/dev_" not in path

    match line:
        case {"type": "call", "path": path, "member": member, "body": body}:
            return f"call {names.plain(path)} {member} {words(body, names)}"
        case {"type": "reply", "member": "GetManagedObjects", "body": [tree]}:
            shown = [described(path, tree[path], names) for path in sorted(tree) if concerns(path)]
            return "\n".join(["reply GetManagedObjects", *sorted(shown)])
        case {"type": "reply", "member": member, "signature": signature, "body": body}:
            return f"reply {member} ({signature}) {words(body, names)}"
        case {"type": "error", "member": member, "name": name, "body": body}:
            return f"error {member} {name} {words(body, names)}"
        case {"type": "silence", "member": member}:
            return f"silence {member}"
        case {"type": "signal", "member": "InterfacesAdded", "body": [path, interfaces]} if concerns(path):
            return f"signal InterfacesAdded {described(path, interfaces, names)}"
        case {"type": "signal", "member": "InterfacesRemoved", "body": [path, interfaces]} if concerns(path):
            return f"signal InterfacesRemoved {names.plain(path)} {sorted(interfaces)}"
        case {"type": "signal", "member": "PropertiesChanged", "path": path, "body": [interface, now, gone]}:
            now = stable(now)
            if concerns(path) and (now or gone):
                return f"signal PropertiesChanged {names.plain(path)} {interface} {words(now, names)} without {gone}"
    return None


def described(path: str, interfaces: dict[str, Any], names: Names) -> str:
    shown = [f"  {interface} {words(stable(interfaces[interface]), names)}" for interface in sorted(interfaces)]
    return "\n".join([names.plain(path), *shown])


def stable(properties: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in properties.items() if name not in UNSTABLE}


def words(value: Any, names: Names) -> str:
    match value:
        case {"signature": "o", "value": path}:
            return f"<o {names.plain(path)}>"
        case {"signature": "ao", "value": paths}:
            return f"<ao {[names.plain(path) for path in paths]}>"
        case {"signature": signature, "value": inner}:
            return f"<{signature} {words(inner, names)}>"
        case dict():
            return "{" + ", ".join(f"{name}: {words(value[name], names)}" for name in sorted(value)) + "}"
        case list():
            return "[" + ", ".join(words(each, names) for each in value) + "]"
    return repr(value)
