"""The bridge under test: its configurations and its process."""

from collections.abc import Iterable
from pathlib import Path

import broker
import fleet
from system import Program

STATE = "/run/bluefleet"


def gateway(name: str, state: str) -> str:
    """The keys of a gateway, apart from its devices."""
    return f"""\
gateway: {name}
state_directory: {state}
log: debug

mqtt:
  url: mqtt://127.0.0.1:{broker.PORT}

home_assistant:
  discovery: none
"""


GATEWAY = gateway("machine", STATE)

HOUSE = f"""\
{GATEWAY}
devices:
  greenhouse:
    address: C0:00:00:00:00:01
    connect: always
    characteristics:
      temperature: {{service: 181A, uuid: 2A6E, subscribe: true}}
      humidity:    {{service: 181A, uuid: 2A6F, subscribe: true}}
      battery:     {{service: 180F, uuid: 2A19, read: on connect}}

  freezer:
    address: C0:00:00:00:00:02
    connect: every 1h
    until: [temperature, humidity]
    within: 60s
    characteristics:
      temperature: {{service: 181A, uuid: 2A6E, subscribe: true}}
      humidity:    {{service: 181A, uuid: 2A6F, subscribe: true}}

  relay:
    address: C0:00:00:00:00:03
    connect: on demand
    hold: 5s
    characteristics:
      output:
        service: {fleet.RELAY_SERVICE}
        uuid: {fleet.RELAY_OUTPUT}
        write: true
        format:
          - {{name: channel, type: uint8}}
          - {{name: level, type: uint16, endian: big, scale: 0.1, unit: "%"}}
      blink:
        service: {fleet.RELAY_SERVICE}
        uuid: {fleet.RELAY_BLINK}
        write: without response
        format:
          - {{name: times, type: uint8}}
      secret:
        service: {fleet.RELAY_SERVICE}
        uuid: {fleet.RELAY_SECRET}
        read: on connect
        format:
          - {{name: digit, type: uint8}}
"""


PROFILES = """\
profiles:
  climate:
    connect: always
    characteristics:
      temperature: {service: 181A, uuid: 2A6E, subscribe: true}
"""

CLIMATE = f"{GATEWAY}\n{PROFILES}"

CROWD = f"""\
{CLIMATE}
devices:
  unreachable:
    address: {fleet.UNREACHABLE}
    profile: climate
  silent:
    address: {fleet.UNRESPONSIVE}
    profile: climate
  writer:
    address: {fleet.WRITER}
    connect: always
    characteristics:
      patient: {{service: 1809, uuid: 2A1C, subscribe: true}}
      text:
        service: {fleet.TEXT_SERVICE}
        uuid: {fleet.TEXT}
        read: on connect
        write: true
        format:
          - {{name: text, type: utf8}}
"""
CROWD += "".join(
    f"  sensors/{number}: {{address: '{fleet.sensor_address(number)}', profile: climate}}\n" for number in fleet.SENSORS
)


def sensors(numbers: Iterable[int], more: str = "") -> str:
    """The configuration of some sensors, always connected, with more keys in `more`."""
    lines = [f"  sensors/{number}: {{address: '{fleet.sensor_address(number)}', profile: climate}}" for number in numbers]
    return "\n".join([CLIMATE, more, "devices:", *lines, ""])


def shared(name: str, adapter: str) -> str:
    """The configuration of one of several gateways that share devices and use an adapter each."""
    return f"""\
{gateway(name, f"/run/{name}")}
share: true
bluetooth: {{adapters: ["{adapter}"]}}
{PROFILES}
devices:
  beacon: {{address: "{fleet.BEACON}", connect: never, publish: {{}}}}
  sensors/1: {{address: "{fleet.sensor_address(1)}", profile: climate}}
  sensors/2: {{address: "{fleet.sensor_address(2)}", profile: climate}}
  relay:
    address: {fleet.RELAY_ADDRESS}
    connect: on demand
    hold: 1s
    characteristics:
      output:
        service: {fleet.RELAY_SERVICE}
        uuid: {fleet.RELAY_OUTPUT}
        write: true
        format: [{{name: channel, type: uint8}}]
"""


async def start_bridge(executable: Path, configuration: str, results: Path) -> Program:
    file = results / "bluefleet.yaml"
    file.write_text(configuration)
    return await Program.start(results / "bridge.log", str(executable), "run", "--config", str(file))
