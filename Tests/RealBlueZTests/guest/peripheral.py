"""A Bluetooth LE peripheral that the scenarios control; it records its events."""

import asyncio
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

from bumble import att
from bumble.core import UUID, AdvertisingData
from bumble.device import Device, DeviceConfiguration
from bumble.gatt import (
    GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR,
    Attribute,
    Characteristic,
    CharacteristicValue,
    Descriptor,
    Service,
)
from bumble.hci import Address, HCI_LE_Set_Random_Address_Command
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink

from journal import Journal
from radio import Air, LegacyController

# Attributes without a service that move the services to higher handles, and their number; equal to the simulator's.
FILLING = UUID("9e400001-b5a3-f393-e0a9-e50e24dcca9e")
ROOM = 0x100
OPEN = Attribute.Permissions.READABLE | Attribute.Permissions.WRITEABLE
# The advertising interval in milliseconds. A new scan does not wait for it: `Air.advertise`.
ADVERTISING_INTERVAL = 1000


@dataclass(frozen=True)
class Value:
    """A characteristic: `properties` is e.g. `READ|NOTIFY`; `initial` is the first value in hex.

    `descriptors` has the first values of its descriptors in hex, by UUID.
    """

    uuid: str
    properties: str
    initial: str = ""
    descriptors: dict[str, str] = field(default_factory=dict)


class Peripheral:
    """A peripheral with its own controller.

    `irk`: the identity resolving key; the peripheral uses private addresses, and `address` is its identity address.
    `notifies_at_once`: whether a new subscription is followed by a notification, as with sensors that measure on demand.
    `mtu`: the maximum ATT MTU. `includes`: the included services, by service.
    """

    def __init__(
        self,
        air: Air,
        journal: Journal,
        name: str,
        address: str,
        services: dict[str, list[Value]],
        notifies_at_once: bool = False,
        mtu: int = 517,
        includes: dict[str, list[str]] | None = None,
        irk: bytes | None = None,
    ):
        self.name = name
        self.address = address
        self.services = services
        self.notifies_at_once = notifies_at_once
        self.includes = includes or {}
        self.is_unresponsive = False
        # Called after each write with its value.
        self.on_write: Callable[[bytes], None] | None = None
        self.is_private = irk is not None
        self.reset()
        self._journal = journal
        self._connection = None

        controller = LegacyController(name, link=air)
        host = Host(controller, AsyncPipeSink(controller))
        configuration = DeviceConfiguration(
            name=name, address=Address(address), irk=irk or bytes(16), le_privacy_enabled=self.is_private
        )
        self.device = Device(config=configuration, host=host)
        self.device.gatt_server.max_mtu = mtu
        self._characteristics: dict[str, Characteristic] = {}
        self.device.gatt_server.add_services(self._services())
        self.device.on("connection", self._connected)
        self._listen()

    # Actions

    async def start(self) -> None:
        if not self.device.powered_on:
            await self.device.power_on()
        await self.advertise()

    async def advertise(self) -> None:
        services = [UUID(uuid) for uuid in self.services]
        short = b"".join(uuid.to_bytes() for uuid in services if len(uuid.to_bytes()) == 2)
        await self.device.start_advertising(
            auto_restart=True,
            advertising_data=bytes(
                AdvertisingData(
                    [
                        (AdvertisingData.FLAGS, b"\x06"),
                        (AdvertisingData.COMPLETE_LOCAL_NAME, self.name.encode()),
                        (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, short),
                    ]
                )
            ),
            advertising_interval_min=ADVERTISING_INTERVAL,
            advertising_interval_max=ADVERTISING_INTERVAL,
        )

    async def hide(self) -> None:
        """Stops advertising."""
        await self.device.stop_advertising()

    def reset(self) -> None:
        """Resets all characteristics to their first values."""
        self.values = {v.uuid: bytes.fromhex(v.initial) for table in self.services.values() for v in table}

    async def notify(self, uuid: str, value: str) -> None:
        """Sets a value and notifies or indicates it to the subscribers."""
        self.values[uuid] = bytes.fromhex(value)
        characteristic = self._characteristics[uuid]
        if Characteristic.Properties.INDICATE in characteristic.properties:
            await self.device.indicate_subscribers(characteristic, self.values[uuid])
        else:
            await self.device.notify_subscribers(characteristic, self.values[uuid])

    async def rearrange(self) -> None:
        """Moves the services to other handles and sends Service Changed, as after a firmware update."""
        server = self.device.gatt_server
        own = len(self.services)
        generic = server.services[:-own]
        for attributes in (server.attributes, server.attributes_by_handle, server.services):
            attributes.clear()
        server.add_services(generic)
        first = server.next_handle()
        for _ in range(ROOM):
            server.add_attribute(Attribute(FILLING, OPEN, b""))
        server.add_services(self._services())
        changed = self.device.gatt_service.service_changed_characteristic
        for subscriber, subscriptions in server.subscribers.items():
            server.subscribers[subscriber] = {h: v for h, v in subscriptions.items() if h == changed.handle}
        await self.device.indicate_subscribers(changed, struct.pack("<HH", first, 0xFFFF))

    @property
    def address_on_air(self) -> str:
        return self.device.random_address.to_string(with_type_qualifier=False)

    async def change_address(self) -> None:
        """Changes the private address; must not be called during a connection."""
        await self.hide()
        address = Address.generate_private_address(self.device.irk)
        await self.device.send_sync_command(HCI_LE_Set_Random_Address_Command(random_address=address))
        self.device.random_address = address
        await self.advertise()

    async def forget_bonds(self) -> None:
        await self.device.keystore.delete_all()

    async def drop_link(self) -> None:
        if self._connection:
            await self._connection.disconnect()

    @property
    def is_connected(self) -> bool:
        return self._connection is not None

    # Events

    def _connected(self, connection) -> None:
        self._connection = connection
        self._journal.record(self.name, "connected")
        connection.on("disconnection", self._disconnected)

    def _disconnected(self, reason: int) -> None:
        self._connection = None
        self._journal.record(self.name, "disconnected", value=bytes([reason]))

    def _listen(self) -> None:
        """Records each request before its response, and each subscription once it is active."""
        server = self.device.gatt_server
        server.on(server.EVENT_CHARACTERISTIC_SUBSCRIPTION, self._subscribed)
        answer = server.on_gatt_pdu

        def listen(bearer, pdu):
            self._record(server, pdu)
            if not self.is_unresponsive:
                answer(bearer, pdu)

        server.on_gatt_pdu = listen

    def _subscribed(self, _bearer, characteristic, is_notified: bool, is_indicated: bool) -> None:
        self._journal.record(self.name, "cccd", short(characteristic.uuid), bytes([is_notified | is_indicated << 1, 0]))

    def _record(self, server, pdu) -> None:
        match pdu:
            case att.ATT_Read_By_Group_Type_Request():
                return self._journal.record(self.name, "discover")
            case att.ATT_Read_Request():
                kind, value = "read", b""
            case att.ATT_Read_Blob_Request():
                kind, value = "blob", b""
            case att.ATT_Prepare_Write_Request():
                kind, value = "prepare", pdu.part_attribute_value
            case att.ATT_Write_Command():
                kind, value = "command", pdu.attribute_value
            case att.ATT_Write_Request():
                attribute = server.get_attribute(pdu.attribute_handle)
                if attribute and attribute.type == GATT_CLIENT_CHARACTERISTIC_CONFIGURATION_DESCRIPTOR:
                    return
                kind, value = "write", pdu.attribute_value
            case _:
                return
        self._journal.record(self.name, kind, place(server, pdu.attribute_handle), value)

    # Attributes

    def _services(self) -> list[Service]:
        services: dict[str, Service] = {}
        for uuid, table in self.services.items():
            included = [services[each] for each in self.includes.get(uuid, [])]
            characteristics = [self._characteristic(value) for value in table]
            services[uuid] = Service(UUID(uuid), characteristics, included_services=included)
        return list(services.values())

    def _characteristic(self, value: Value) -> Characteristic:
        properties = Characteristic.Properties.from_string(value.properties)

        def read(connection) -> bytes:
            if Characteristic.Properties.READ not in properties:
                raise att.ATT_Error(att.ATT_READ_NOT_PERMITTED_ERROR)
            return self.values[value.uuid]

        def write(connection, data: bytes) -> None:
            if not properties & (Characteristic.Properties.WRITE | Characteristic.Properties.WRITE_WITHOUT_RESPONSE):
                raise att.ATT_Error(att.ATT_WRITE_NOT_PERMITTED_ERROR)
            self.values[value.uuid] = data
            if self.on_write:
                self.on_write(data)

        characteristic = Characteristic(
            UUID(value.uuid),
            properties,
            OPEN,
            CharacteristicValue(read=read, write=write),
            [Descriptor(UUID(uuid), OPEN, bytes.fromhex(initial)) for uuid, initial in value.descriptors.items()],
        )
        self._characteristics[value.uuid] = characteristic
        if self.notifies_at_once:
            characteristic.on(characteristic.EVENT_SUBSCRIPTION, lambda *_: self._notify_at_once(value.uuid))
        return characteristic

    def _notify_at_once(self, uuid: str) -> None:
        self._first_notification = asyncio.create_task(self.notify(uuid, self.values[uuid].hex()))


class Beacon:
    """A sensor that only advertises its temperature, in the format BTHome; each advertisement is 0.01 °C higher."""

    SERVICE = 0xFCD2

    def __init__(self, air: Air, address: str):
        controller = LegacyController("beacon", link=air)
        controller.random_address = Address(address)
        self._advertiser = controller.le_legacy_advertiser
        self._advertiser.own_address_type = Address.RANDOM_DEVICE_ADDRESS
        self._advertising: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._advertiser.enabled = True
        self._advertising = asyncio.create_task(self._advertise())

    def hide(self) -> None:
        """Stops advertising."""
        self._advertiser.enabled = False
        if self._advertising:
            self._advertising.cancel()

    async def _advertise(self) -> None:
        for hundredths in range(10_000):
            # Device information: version 2, not encrypted; object 0x02: a temperature (https://bthome.io/format).
            packet = struct.pack("<HBBh", self.SERVICE, 0x40, 0x02, hundredths)
            self._advertiser.advertising_data = bytes(
                AdvertisingData([(AdvertisingData.FLAGS, b"\x06"), (AdvertisingData.SERVICE_DATA_16_BIT_UUID, packet)])
            )
            self._advertiser.send_advertising_data()
            await asyncio.sleep(ADVERTISING_INTERVAL / 1000)


def place(server, handle: int) -> str:
    """The characteristic with this handle, e.g. `2A6E`, or its descriptor, e.g. `2A6E/2901`."""
    owners = [c for c in server.attributes if isinstance(c, Characteristic) and c.handle <= handle]
    if not owners:
        return f"handle 0x{handle:04x}"
    attribute = server.get_attribute(handle)
    owner = short(owners[-1].uuid)
    return owner if attribute in (None, owners[-1]) else f"{owner}/{short(attribute.type)}"


def short(uuid: UUID) -> str:
    """`2A6E` for a UUID of the SIG, else 36 lower-case characters."""
    text = uuid.to_hex_str()
    return text.upper() if len(text) == 4 else uuid.to_hex_str("-").lower()
