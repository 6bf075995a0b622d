#!/usr/bin/env python3
"""A typical bridge in Python, with bleak and paho: `benchmark --reference "PYTHON bridge.py"`.

    python3 -m venv venv && venv/bin/pip install bleak paho-mqtt

Arguments: BUS PORT signals|descriptors QOS PAUSE, as for the reference in C; PAUSE has no effect.
"""

import asyncio
import datetime
import json
import struct
import sys

import paho.mqtt.client as mqtt
from bleak import BleakClient
from bleak.backends.device import BLEDevice
from dbus_fast import Message
from dbus_fast.aio import MessageBus

CHARACTERISTIC = "b1f70001-5f1e-4c7d-9a52-0c1f1e57f00d"


async def devices(bus_address):
    """Returns the devices of org.bluez, by object path."""
    bus = await MessageBus(bus_address=bus_address).connect()
    reply = await bus.call(
        Message(
            destination="org.bluez",
            path="/",
            interface="org.freedesktop.DBus.ObjectManager",
            member="GetManagedObjects",
        )
    )
    bus.disconnect()
    for path, interfaces in reply.body[0].items():
        if "org.bluez.Device1" in interfaces and "/dev_C0_" in path:
            properties = {name: value.value for name, value in interfaces["org.bluez.Device1"].items()}
            yield path, properties


async def subscribe(path, properties, broker, quality, client_options):
    device = BLEDevice(properties["Address"], properties["Alias"], {"path": path, "props": properties})
    number = int(properties["Address"].replace(":", "")[-4:], 16)
    topic = f"bluefleet/d{number:04}/temperature"

    def received(_, data):
        time = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
        value = int.from_bytes(data[:4], "little") / 100
        if len(data) == 4:
            members = {"value": value, "unit": "°C"}
        else:
            humidity, pressure, battery = struct.unpack("<BHB", data[4:])
            members = {"value": value, "humidity": humidity, "pressure": pressure / 10, "battery": battery}
        payload = members | {"time": time.replace("+00:00", "Z")}
        broker.publish(topic, json.dumps(payload), qos=quality, retain=True)

    client = BleakClient(device)
    await client.connect()
    await client.start_notify(CHARACTERISTIC, received, **client_options)
    return client


async def main(bus_address, port, path, quality):
    broker = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    broker.connect("127.0.0.1", int(port))
    broker.loop_start()
    options = {"bluez": {"use_start_notify": path == "signals"}}
    clients = [
        await subscribe(path, properties, broker, int(quality), options)
        async for path, properties in devices(bus_address)
    ]
    await asyncio.Event().wait()
    return clients


asyncio.run(main(*sys.argv[1:5]))
