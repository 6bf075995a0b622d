"""The virtual radio between bluetoothd's adapter and the peripherals: Bumble's controllers on one link."""

import asyncio
from pathlib import Path

from bumble import hci, ll
from bumble.controller import Controller
from bumble.core import PhysicalTransport
from bumble.hci import LeFeatureMask
from bumble.link import LocalLink
from bumble.transport import open_transport
from bumble.transport.common import Transport

from system import until

ADAPTER_ADDRESS = "00:00:5E:00:53:01"


class Air(LocalLink):
    """A link that sends each packet from the address of its connection.

    Bumble 0.0.236 sends from the controller's random address, but BlueZ connects from its public one: no ATT packet
    would arrive.
    """

    def __init__(self) -> None:
        super().__init__()
        self.adapters: list[AdapterController] = []

    def send_advertising_pdu(self, sender_controller, packet):
        """Delivers a packet to its receivers only; Bumble delivers it to all controllers, which is slow in a crowd."""
        if isinstance(packet, ll.ConnectInd):
            receivers = [each for each in self.controllers if each.random_address == packet.advertiser_address]
        else:
            receivers = self.adapters
        for receiver in receivers:
            asyncio.get_running_loop().call_soon(receiver.on_ll_advertising_pdu, packet)

    def advertise(self) -> None:
        """Sends an advertisement from each advertising peripheral now, so that a new scan need not wait."""
        for controller in self.controllers:
            controller.le_legacy_advertiser.send_advertising_data()

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if connection and receiver:
            source = connection.self_address
            asyncio.get_running_loop().call_soon(receiver.on_link_acl_data, source, PhysicalTransport.LE, data)


class LegacyController(Controller):
    """A controller with the advertising and connecting of Bluetooth 4.

    Bumble's controller claims LL Privacy and extended advertising but reports a connection with the old event. Linux
    6.1 then waits 20 s for the enhanced event and delays all later commands, so that a disconnection seems to hang.
    """

    le_features = Controller.le_features & ~(LeFeatureMask.LL_PRIVACY | LeFeatureMask.LE_EXTENDED_ADVERTISING)


class AdapterController(LegacyController):
    """bluetoothd's controller.

    `unreachable`: addresses that it receives but cannot connect to; an attempt lasts until the host cancels it.
    `out_of_range`: addresses that it does not receive.
    `strengths`: the received signal strengths in dBm, by address; -50 for all other addresses.
    """

    def __init__(self, air: Air, transport: Transport, address: str):
        super().__init__(
            "adapter", host_source=transport.source, host_sink=transport.sink, link=air, public_address=address
        )
        self.air = air
        self.transport = transport
        self.out_of_range: set[str] = set()
        self.unreachable: set[str] = set()
        self.strengths: dict[str, int] = {}
        # When the host has sent the last packet; None: it has sent none.
        self.last_packet: float | None = None
        air.adapters.append(self)

    def on_packet(self, packet: bytes) -> None:
        self.last_packet = asyncio.get_running_loop().time()
        super().on_packet(packet)

    async def is_set_up(self) -> bool:
        """Returns whether the host has sent commands, and none in the last 0.1 s."""
        return self.last_packet is not None and asyncio.get_running_loop().time() - self.last_packet > 0.1

    def on_hci_le_set_scan_enable_command(self, command):
        answer = super().on_hci_le_set_scan_enable_command(command)
        self.air.advertise()
        return answer

    def on_hci_le_create_connection_command(self, command):
        """Rejects a second connection to a peripheral, as controllers do; Bumble (0.0.236) waits for an advertisement.

        Linux 7.2 can send the command twice for one peripheral with a private address, when its advertisement arrives
        twice. It then waits 20 s for the second connection, and delays all later commands.
        """
        if command.peer_address in self.le_connections:
            self._send_hci_command_status(hci.HCI_ErrorCode.CONNECTION_ALREADY_EXISTS_ERROR, command.op_code)
            return
        super().on_hci_le_create_connection_command(command)
        self.air.advertise()

    def on_ll_advertising_pdu(self, packet):
        address = packet.advertiser_address.to_string(with_type_qualifier=False)
        if isinstance(packet, ll.ConnectInd) or address not in self.out_of_range:
            super().on_ll_advertising_pdu(packet)

    def holds(self, address: str) -> bool:
        """Returns whether it is connected to the peripheral with this address."""
        return hci.Address(address) in self.le_connections

    def send_hci_packet(self, packet):
        """Reports the configured signal strengths; Bumble reports -50 dBm for each advertisement."""
        if isinstance(packet, hci.HCI_LE_Advertising_Report_Event):
            for report in packet.reports:
                address = report.address.to_string(with_type_qualifier=False)
                report.rssi = self.strengths.get(address, report.rssi)
        super().send_hci_packet(packet)

    async def unplug(self) -> None:
        """Unplugs the adapter; the peripherals lose their connections as if they were out of range."""
        await self.transport.close()
        self.air.adapters.remove(self)
        self.air.remove_controller(self)
        self._break_links()

    def on_hci_reset_command(self, command):
        """Ends all connections; Bumble (0.0.236) keeps them after a reset, unknown to the host."""
        self._break_links()
        self.le_connections.clear()
        self.pending_le_connection = None
        return super().on_hci_reset_command(command)

    def _break_links(self) -> None:
        for controller in self.air.controllers:
            if connection := controller.le_connections.get(self.public_address):
                controller.on_le_disconnected(connection, hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)

    def create_le_connection(self, peer_address: hci.Address) -> None:
        if peer_address.to_string(with_type_qualifier=False) not in self.unreachable:
            super().create_le_connection(peer_address)

    def on_hci_le_create_connection_cancel_command(self, _command) -> hci.HCI_StatusReturnParameters:
        """Cancels the pending connection; Bumble (0.0.236) ignores the command and connects at an advertisement."""
        pending, self.pending_le_connection = self.pending_le_connection, None
        if pending is None:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        cancelled = hci.HCI_LE_Connection_Complete_Event(
            status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
            connection_handle=0,
            role=hci.Role.CENTRAL,
            peer_address_type=pending.peer_address_type,
            peer_address=pending.peer_address,
            connection_interval=0,
            peripheral_latency=0,
            supervision_timeout=0,
            central_clock_accuracy=0,
        )
        asyncio.get_running_loop().call_soon(self.send_hci_packet, cancelled)
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)


async def plug_in_adapter(air: Air, address: str = ADAPTER_ADDRESS) -> AdapterController:
    """Plugs a Bluetooth adapter into this machine, and returns when the kernel has set it up; the first one is `hci0`.

    The kernel waits 2 s for each answer of an adapter. A caller that then waits for a file of the host, such as a log, could
    not answer, and the clock of the machine skips the time in which all programs wait.
    """
    if Path("/dev/vhci").exists():
        adapter = AdapterController(air, await open_transport("vhci"), address)
    else:
        adapter = await attach_serial_adapter(air, address)
    await until("the kernel has set the adapter up", adapter.is_set_up, within=60)
    return adapter


async def attach_serial_adapter(air: Air, address: str) -> AdapterController:
    """Attaches an adapter on a serial line (UART), which is how the adapter of a Raspberry Pi is connected.

    Debian's kernel for arm64 has no virtual controller. `btattach` ends when the line is closed.
    """
    line = f"/run/hci-{address}"
    adapter = AdapterController(air, await open_transport(f"pty:{line}"), address)
    await asyncio.create_subprocess_exec("btattach", "-B", line, "-P", "h4")
    return adapter
