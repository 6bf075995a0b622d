"""The air between bluetoothd's adapter and the peripherals: Bumble's virtual controllers on one link."""

import asyncio

from bumble import hci
from bumble.controller import Controller
from bumble.core import PhysicalTransport
from bumble.hci import LeFeatureMask
from bumble.link import LocalLink
from bumble.transport import open_transport
from bumble.transport.common import Transport

ADAPTER_ADDRESS = "00:00:5E:00:53:01"


class Air(LocalLink):
    """A link on which every packet comes from the address its connection was made with.

    Bumble 0.0.236 sends from the controller's random address, while BlueZ connects from its public one: without
    this no ATT packet arrives.
    """

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        connection = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if connection and receiver:
            source = connection.self_address
            asyncio.get_running_loop().call_soon(receiver.on_link_acl_data, source, PhysicalTransport.LE, data)


class LegacyController(Controller):
    """A controller that offers what it keeps: Bluetooth 4's advertising and connecting.

    Bumble's claims LL Privacy and extended advertising but reports a connection with the old event. Linux 6.1 then
    waits 20 s for the enhanced one and holds every later command back, so that a disconnection seems to hang.
    """

    le_features = Controller.le_features & ~(LeFeatureMask.LL_PRIVACY | LeFeatureMask.LE_EXTENDED_ADVERTISING)


class AdapterController(LegacyController):
    """bluetoothd's controller.

    To the peripherals in `unreachable` (addresses) it makes no connection, though it hears them: a connect goes on
    until the host gives it up.
    """

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.unreachable: set[str] = set()

    def create_le_connection(self, peer_address: hci.Address) -> None:
        if peer_address.to_string(with_type_qualifier=False) not in self.unreachable:
            super().create_le_connection(peer_address)

    def on_hci_le_create_connection_cancel_command(self, _command) -> hci.HCI_StatusReturnParameters:
        """Bumble's (0.0.236) cancels nothing: the link comes up at the next advertisement, wanted by nobody."""
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


async def plug_in_adapter(air: Air) -> tuple[Transport, AdapterController]:
    """Gives this machine a Bluetooth adapter (`hci0` for the first one), plugged in while the transport is kept."""
    transport = await open_transport("vhci")
    controller = AdapterController(
        "adapter",
        host_source=transport.source,
        host_sink=transport.sink,
        link=air,
        public_address=ADAPTER_ADDRESS,
    )
    return transport, controller
