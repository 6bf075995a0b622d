"""A sequence of all calls of a central to org.bluez, valid and invalid, with one peripheral.

The same sequence runs with the simulator (`comparison`), which must send the same replies and signals in each step.
"""

import os
from typing import Any, Protocol

from dbus_fast import MessageType, Variant

import fleet
from conversation import PROPERTIES, Conversation, added, changed, removed

ADAPTER = "/org/bluez/hci0"
ADAPTER_INTERFACE = "org.bluez.Adapter1"
DEVICE = "org.bluez.Device1"
SERVICE = "org.bluez.GattService1"
CHARACTERISTIC = "org.bluez.GattCharacteristic1"
DESCRIPTOR = "org.bluez.GattDescriptor1"


class Specimen(Protocol):
    """The actions of the peripheral in the sequence."""

    address: str

    async def notify(self, uuid: str, value: str) -> None: ...
    async def rearrange(self) -> None: ...
    async def drop_link(self) -> None: ...
    async def hide(self) -> None: ...
    async def advertise(self) -> None: ...


def short(uuid: str) -> str:
    """`2A6E` for a UUID of the SIG, else the complete UUID."""
    return uuid[4:8].upper() if uuid.endswith("-0000-1000-8000-00805f9b34fb") else uuid


def device_path(address: str) -> str:
    return f"{ADAPTER}/dev_{address.replace(':', '_')}"


class Sequence:
    def __init__(self, conversation: Conversation, specimen: Specimen):
        self.talk = conversation
        self.specimen = specimen
        self.device = device_path(specimen.address)
        self.paths: dict[str, str] = {}

    async def run(self) -> None:
        await self.scan()
        await self.connect()
        await self.read()
        await self.write()
        await self.notify()
        await self.indicate()
        await self.describe()
        await self.acquire()
        await self.change_services()
        await self.lose_connection()
        await self.disconnect()
        await self.forget()
        await self.register_agents()
        await self.connect_out_of_range()
        await self.switch_off()

    # The parts of the sequence

    async def scan(self) -> None:
        self.talk.step("the objects at the start")
        await self.talk.objects()
        self.talk.step("StopDiscovery when none runs")
        await self.adapter("StopDiscovery")
        self.talk.step("SetDiscoveryFilter with an unknown key")
        await self.adapter("SetDiscoveryFilter", "a{sv}", {"Nonsense": Variant("b", True)})
        self.talk.step("SetDiscoveryFilter with RSSI and Pathloss together")
        await self.adapter("SetDiscoveryFilter", "a{sv}", {"RSSI": Variant("n", -80), "Pathloss": Variant("q", 20)})
        await self.start_discovery()
        self.talk.step("StartDiscovery a second time")
        await self.adapter("StartDiscovery")
        self.talk.step("the device's properties while it advertises")
        await self.get_all(self.device, DEVICE)
        self.talk.step("one property")
        await self.talk.call(self.device, PROPERTIES, "Get", "ss", DEVICE, "Address")
        self.talk.step("an unknown property")
        await self.talk.call(self.device, PROPERTIES, "Get", "ss", DEVICE, "Nonsense")
        self.talk.step("Set of a read-only property, of a wrong type, of an unknown interface")
        await self.set(DEVICE, "Connected", Variant("b", True))
        await self.set(DEVICE, "Trusted", Variant("s", "yes"))
        await self.set("org.bluez.Nonsense1", "Trusted", Variant("b", True))
        self.talk.step("an unknown method, and wrong arguments")
        await self.call(DEVICE, "Nonsense")
        await self.call(DEVICE, "Connect", "s", "now")

    async def start_discovery(self) -> None:
        self.talk.step("SetDiscoveryFilter: Transport le, DuplicateData")
        await self.adapter(
            "SetDiscoveryFilter", "a{sv}", {"Transport": Variant("s", "le"), "DuplicateData": Variant("b", True)}
        )
        self.talk.step("StartDiscovery, until the device appears")
        await self.adapter("StartDiscovery")
        await self.talk.receive("the device appears", added(self.device))

    async def connect(self) -> None:
        self.talk.step("Connect, until the services are resolved")
        await self.call(DEVICE, "Connect")
        await self.resolved()
        self.talk.step("the objects of a connected device")
        await self.look()
        self.talk.step("StopDiscovery")
        await self.adapter("StopDiscovery")
        await self.talk.receive("Discovering is false", changed(ADAPTER, "Discovering", False))
        self.talk.step("Connect when connected")
        await self.call(DEVICE, "Connect")

    async def resolved(self) -> None:
        await self.talk.receive("ServicesResolved", changed(self.device, "ServicesResolved", True))
        await self.talk.receive("the battery", changed(self.device, "Percentage", 93))

    async def look(self) -> None:
        """Finds the objects of the attributes: a characteristic as `2A6E`, a descriptor as `2A6E/2902`."""
        names: dict[str, str] = {}
        for path, interfaces in sorted((await self.talk.objects()).items()):
            if path.startswith(self.device + "/"):
                if CHARACTERISTIC in interfaces:
                    names[path] = short(interfaces[CHARACTERISTIC]["UUID"].value)
                if DESCRIPTOR in interfaces:
                    descriptor = interfaces[DESCRIPTOR]
                    names[path] = f"{names[descriptor['Characteristic'].value]}/{short(descriptor['UUID'].value)}"
        self.paths = {name: path for path, name in names.items()}

    async def read(self) -> None:
        self.talk.step("ReadValue")
        await self.read_value(fleet.TEMPERATURE)
        self.talk.step("ReadValue with an offset")
        await self.read_value(fleet.TEMPERATURE, offset=1)
        self.talk.step("ReadValue with an offset after the end")
        await self.read_value(fleet.TEMPERATURE, offset=9)
        self.talk.step("ReadValue without the flag read")
        await self.read_value(fleet.RELAY_BLINK)
        self.talk.step("ReadValue of a descriptor (2902)")
        await self.talk.call(self.paths[f"{fleet.TEMPERATURE}/2902"], DESCRIPTOR, "ReadValue", "a{sv}", {})

    async def write(self) -> None:
        self.talk.step("WriteValue, type request")
        await self.write_value(fleet.RELAY_OUTPUT, "010064", "request")
        self.talk.step("ReadValue after the write")
        await self.read_value(fleet.RELAY_OUTPUT)
        self.talk.step("WriteValue, type command")
        await self.write_value(fleet.RELAY_BLINK, "03", "command")
        self.talk.step("WriteValue without a type, with the flag write only")
        await self.write_value(fleet.RELAY_OUTPUT, "010032")
        self.talk.step("WriteValue, type command, with the flag write only")
        await self.write_value(fleet.RELAY_OUTPUT, "010033", "command")
        self.talk.step("WriteValue, unknown type")
        await self.write_value(fleet.RELAY_OUTPUT, "010033", "nonsense")
        self.talk.step("WriteValue, type reliable, without the flag reliable-write")
        await self.write_value(fleet.RELAY_OUTPUT, "010033", "reliable")
        self.talk.step("WriteValue of 513 bytes, and with an offset after the end")
        await self.write_value(fleet.RELAY_OUTPUT, "00" * 513, "request")
        await self.write_value(fleet.RELAY_OUTPUT, "00", "request", offset=600)
        self.talk.step("WriteValue without the flag write")
        await self.write_value(fleet.TEMPERATURE, "0000", "request")
        self.talk.step("WriteValue of a descriptor (2902)")
        configuration = self.paths[f"{fleet.TEMPERATURE}/2902"]
        await self.talk.call(configuration, DESCRIPTOR, "WriteValue", "aya{sv}", b"\x01\x00", {})

    async def notify(self) -> None:
        temperature = self.paths[fleet.TEMPERATURE]
        self.talk.step("StopNotify before StartNotify")
        await self.talk.call(temperature, CHARACTERISTIC, "StopNotify")
        self.talk.step("StartNotify")
        await self.talk.call(temperature, CHARACTERISTIC, "StartNotify")
        await self.talk.receive("Notifying", changed(temperature, "Notifying", True))
        self.talk.step("StartNotify a second time")
        await self.talk.call(temperature, CHARACTERISTIC, "StartNotify")
        self.talk.step("a notification, and the same value once more")
        await self.specimen.notify(fleet.TEMPERATURE, "7008")
        await self.talk.receive("the value", changed(temperature, "Value", "7008"))
        await self.specimen.notify(fleet.TEMPERATURE, "7008")
        await self.specimen.notify(fleet.TEMPERATURE, "7108")
        await self.talk.receive("the next value", changed(temperature, "Value", "7108"))
        self.talk.step("ReadValue while notifying")
        await self.read_value(fleet.TEMPERATURE)
        self.talk.step("StartNotify without the flag notify")
        await self.talk.call(self.paths[fleet.RELAY_SECRET], CHARACTERISTIC, "StartNotify")
        self.talk.step("StopNotify")
        await self.talk.call(temperature, CHARACTERISTIC, "StopNotify")
        await self.talk.receive("not Notifying", changed(temperature, "Notifying", False))
        self.talk.step("StopNotify a second time")
        await self.talk.call(temperature, CHARACTERISTIC, "StopNotify")

    async def indicate(self) -> None:
        thermometer = self.paths[fleet.THERMOMETER]
        self.talk.step("StartNotify with the flag indicate, an indication, StopNotify")
        await self.talk.call(thermometer, CHARACTERISTIC, "StartNotify")
        await self.specimen.notify(fleet.THERMOMETER, "006e0100ff")
        await self.talk.receive("the value", changed(thermometer, "Value", "006e0100ff"))
        await self.talk.call(thermometer, CHARACTERISTIC, "StopNotify")
        await self.talk.receive("not Notifying", changed(thermometer, "Notifying", False))

    async def describe(self) -> None:
        description = self.paths[f"{fleet.TEXT}/{fleet.USER_DESCRIPTION}"]
        self.talk.step("a descriptor: ReadValue, WriteValue, ReadValue with an offset")
        await self.talk.call(description, DESCRIPTOR, "ReadValue", "a{sv}", {})
        await self.talk.call(description, DESCRIPTOR, "WriteValue", "aya{sv}", b"history", {})
        await self.talk.call(description, DESCRIPTOR, "ReadValue", "a{sv}", {"offset": Variant("q", 2)})

    async def acquire(self) -> None:
        humidity, blink = self.paths[fleet.HUMIDITY], self.paths[fleet.RELAY_BLINK]
        self.talk.step("AcquireNotify twice, then StartNotify")
        answer = await self.talk.call(humidity, CHARACTERISTIC, "AcquireNotify", "a{sv}", {})
        await self.talk.call(humidity, CHARACTERISTIC, "AcquireNotify", "a{sv}", {})
        await self.talk.call(humidity, CHARACTERISTIC, "StartNotify")
        if answer.message_type == MessageType.METHOD_RETURN:
            os.close(answer.unix_fds[answer.body[0]])
            await self.talk.receive("NotifyAcquired is false", changed(humidity, "NotifyAcquired", False))
        self.talk.step("AcquireWrite with and without the flag write-without-response")
        answer = await self.talk.call(blink, CHARACTERISTIC, "AcquireWrite", "a{sv}", {})
        await self.write_value(fleet.RELAY_BLINK, "04", "command")
        if answer.message_type == MessageType.METHOD_RETURN:
            os.close(answer.unix_fds[answer.body[0]])
            await self.talk.receive("WriteAcquired is false", changed(blink, "WriteAcquired", False))
        await self.talk.call(self.paths[fleet.RELAY_OUTPUT], CHARACTERISTIC, "AcquireWrite", "a{sv}", {})

    async def change_services(self) -> None:
        temperature = self.paths[fleet.TEMPERATURE]
        last, _, _ = self.paths[fleet.TEXT].rpartition("/")
        self.talk.step("StartNotify, then Service Changed")
        await self.talk.call(temperature, CHARACTERISTIC, "StartNotify")
        await self.specimen.rearrange()
        await self.talk.receive("the last old service is removed", removed(last))
        self.talk.step("the objects after that")
        await self.look()

    async def lose_connection(self) -> None:
        temperature = self.paths[fleet.TEMPERATURE]
        self.talk.step("StartNotify, then the peripheral disconnects")
        await self.talk.call(temperature, CHARACTERISTIC, "StartNotify")
        await self.specimen.drop_link()
        await self.disconnected()
        await self.talk.receive("the battery is removed", removed(self.device))
        self.talk.step("without a connection: the properties of a characteristic, ReadValue, WriteValue, StopNotify")
        await self.get_all(temperature, CHARACTERISTIC)
        await self.read_value(fleet.TEMPERATURE)
        await self.write_value(fleet.RELAY_OUTPUT, "010001", "request")
        await self.talk.call(temperature, CHARACTERISTIC, "StopNotify")
        self.talk.step("StartNotify without a connection, then Connect")
        await self.talk.call(temperature, CHARACTERISTIC, "StartNotify")
        await self.call(DEVICE, "Connect")
        await self.resolved()
        await self.get_all(temperature, CHARACTERISTIC)

    async def disconnect(self) -> None:
        self.talk.step("Disconnect while notifying")
        await self.call(DEVICE, "Disconnect")
        await self.disconnected()
        self.talk.step("the device's properties after the disconnection")
        await self.get_all(self.device, DEVICE)
        self.talk.step("Disconnect when disconnected")
        await self.call(DEVICE, "Disconnect")

    async def disconnected(self) -> None:
        await self.talk.receive("Connected is false", changed(self.device, "Connected", False))

    async def forget(self) -> None:
        self.talk.step("RemoveDevice")
        await self.adapter("RemoveDevice", "o", self.device)
        await self.talk.receive("the device is removed", removed(self.device))
        self.talk.step("RemoveDevice a second time")
        await self.adapter("RemoveDevice", "o", self.device)
        self.talk.step("Connect to an unknown device")
        await self.call(DEVICE, "Connect")
        self.talk.step("ReadValue of an unknown characteristic")
        await self.read_value(fleet.TEMPERATURE)

    async def register_agents(self) -> None:
        self.talk.step("agents: an unknown one, an unknown capability, a second registration")
        await self.agents("RequestDefaultAgent", "o", "/unknown")
        await self.agents("UnregisterAgent", "o", "/unknown")
        await self.agents("RegisterAgent", "os", "/agent", "Nonsense")
        await self.agents("RegisterAgent", "os", "/agent", "NoInputNoOutput")
        await self.agents("RegisterAgent", "os", "/agent", "NoInputNoOutput")
        await self.agents("UnregisterAgent", "o", "/agent")

    async def connect_out_of_range(self) -> None:
        await self.start_discovery()
        await self.specimen.hide()
        self.talk.step("Connect to a device out of range, twice, then Disconnect")
        first = await self.talk.begin_call(self.device, DEVICE, "Connect")
        await self.call(DEVICE, "Connect")
        await self.call(DEVICE, "Disconnect")
        await first

    async def switch_off(self) -> None:
        await self.talk.set_powered(False)
        self.talk.step("adapter off: StartDiscovery, StopDiscovery, SetDiscoveryFilter, Connect")
        await self.adapter("StartDiscovery")
        await self.adapter("StopDiscovery")
        await self.adapter("SetDiscoveryFilter", "a{sv}", {"Transport": Variant("s", "le")})
        await self.call(DEVICE, "Connect")
        await self.talk.set_powered(True)
        await self.specimen.advertise()
        self.talk.step("the objects at the end")
        await self.talk.objects()

    # One call

    async def adapter(self, member: str, signature: str = "", *body: Any):
        return await self.talk.call(ADAPTER, ADAPTER_INTERFACE, member, signature, *body)

    async def call(self, interface: str, member: str, signature: str = "", *body: Any):
        return await self.talk.call(self.device, interface, member, signature, *body)

    async def agents(self, member: str, signature: str, *body: Any):
        return await self.talk.call("/org/bluez", "org.bluez.AgentManager1", member, signature, *body)

    async def set(self, interface: str, name: str, value: Variant) -> None:
        await self.call(PROPERTIES, "Set", "ssv", interface, name, value)

    async def get_all(self, path: str, interface: str) -> None:
        await self.talk.call(path, PROPERTIES, "GetAll", "s", interface)

    async def read_value(self, uuid: str, offset: int | None = None) -> None:
        options = {} if offset is None else {"offset": Variant("q", offset)}
        await self.talk.call(self.paths[uuid], CHARACTERISTIC, "ReadValue", "a{sv}", options)

    async def write_value(self, uuid: str, value: str, kind: str | None = None, offset: int | None = None) -> None:
        options = {} if kind is None else {"type": Variant("s", kind)}
        if offset is not None:
            options["offset"] = Variant("q", offset)
        data = bytes.fromhex(value)
        await self.talk.call(self.paths[uuid], CHARACTERISTIC, "WriteValue", "aya{sv}", data, options)
