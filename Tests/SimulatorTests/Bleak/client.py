"""A client that uses bleak: scans, connects, reads, writes and subscribes, and prints one result per line."""

import asyncio

from bleak import BleakClient, BleakScanner
from bleak.exc import BleakGATTProtocolError

ADDRESS = "C0:00:00:00:00:04"
TEMPERATURE = "00002a6e-0000-1000-8000-00805f9b34fb"
HUMIDITY = "00002a6f-0000-1000-8000-00805f9b34fb"
OUTPUT = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
COMMAND = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"


async def main() -> None:
    async with BleakScanner() as scanner:
        async for device, advertisement in scanner.advertisement_data():
            if device.address == ADDRESS:
                break
    print("found", device.name, advertisement.rssi, *sorted(advertisement.service_uuids))

    async with BleakClient(device) as client:
        print("connected", client.is_connected)
        for service in sorted(client.services, key=lambda service: service.handle):
            print("service", service.uuid, *sorted(c.uuid for c in service.characteristics))
        print("read", (await client.read_gatt_char(TEMPERATURE)).hex())
        await client.write_gatt_char(OUTPUT, bytes.fromhex("010203"), response=True)
        print("written", (await client.read_gatt_char(OUTPUT)).hex())
        await client.write_gatt_char(COMMAND, b"\x05", response=False)

        values: asyncio.Queue[bytearray] = asyncio.Queue()
        await client.start_notify(HUMIDITY, lambda _, value: values.put_nowait(value))
        for _ in range(3):
            print("notified", (await values.get()).hex())
        await client.stop_notify(HUMIDITY)
        try:
            await client.write_gatt_char(TEMPERATURE, b"\x00\x00", response=True)
        except BleakGATTProtocolError as error:
            print("refused", error.code.name)
    print("disconnected", not client.is_connected)


asyncio.run(main())
