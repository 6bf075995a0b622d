"""Bonds: with a peripheral that asks nothing, and with one that shows a passkey.

What a lost bond does is left to the simulator: it once brought the virtual machine's Linux 6.1 down (a link whose
encryption fails while it is being connected; list_del corruption in hci_chan_del).
"""

import asyncio

import fleet
from bumble.pairing import PairingConfig, PairingDelegate
from bridge import GATEWAY
from expectations import disconnected
from fleet import SENSOR
from machine import Machine
from peripheral import Peripheral
from scenario import scenario

PLAIN = "C0:00:00:00:02:01"
SAFE = "C0:00:00:00:02:02"

BONDS = f"""\
{GATEWAY}
devices:
  plain:
    address: {PLAIN}
    pair: true
    characteristics:
      temperature: {{service: 181A, uuid: 2A6E, subscribe: true}}
  safe:
    address: {SAFE}
    connect: on demand
    hold: 1s
    characteristics:
      temperature: {{service: 181A, uuid: 2A6E}}
"""


# The peripherals of these scenarios, by address.
bonded: dict[str, Peripheral] = {}


class Display(PairingDelegate):
    """What a peripheral shows while it is paired with."""

    def __init__(self):
        super().__init__(PairingDelegate.DISPLAY_OUTPUT_ONLY)
        self.number: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def display_number(self, number: int, digits: int) -> None:
        self.number.set_result(number)


def bonding(machine: Machine, name: str, address: str, delegate: PairingDelegate) -> Peripheral:
    """A sensor on the air that gives its values to those only that it is bonded with."""
    peripheral = Peripheral(machine.adapter.link, machine.journal, name, address, SENSOR)
    has_display = delegate.io_capability == PairingDelegate.DISPLAY_OUTPUT_ONLY
    peripheral.device.pairing_config_factory = lambda _: PairingConfig(
        mitm=has_display,
        delegate=delegate,
        identity_address_type=PairingConfig.AddressType.RANDOM,
    )
    for service in peripheral.device.gatt_server.services:
        for characteristic in service.characteristics:
            if characteristic.uuid.to_hex_str().upper() == fleet.TEMPERATURE:
                characteristic.permissions |= (
                    characteristic.Permissions.READ_REQUIRES_AUTHENTICATION
                    if has_display
                    else characteristic.Permissions.READ_REQUIRES_ENCRYPTION
                )
    return peripheral


async def paired(machine: Machine, device: str, after: int) -> None:
    await machine.broker.heard("bluefleet/bridge/machine/event", {"type": "paired", "device": device}, after)


@scenario
async def a_device_with_pair_true_is_bonded_by_just_works(machine: Machine) -> None:
    if machine.bridge:
        await machine.stop_bridge()
    bonded[PLAIN] = bonding(machine, "plain", PLAIN, PairingDelegate())
    await bonded[PLAIN].start()
    after = machine.broker.mark()
    await machine.start_bridge(BONDS)
    await paired(machine, "plain", after)
    await machine.broker.heard("bluefleet/plain/connection", {"state": "connected"}, after)
    mark = machine.broker.mark()
    await machine.broker.publish("bluefleet/plain/temperature/get", "")
    await machine.broker.heard("bluefleet/plain/response/get", {"status": "ok"}, mark)


@scenario
async def a_bonded_device_comes_back_without_pairing_again(machine: Machine) -> None:
    after, seen = machine.broker.mark(), machine.journal.mark()
    await bonded[PLAIN].drop_link()
    await disconnected(machine, "plain", seen)
    await machine.broker.heard("bluefleet/plain/connection", {"state": "connected"}, after)
    mark = machine.broker.mark()
    await machine.broker.publish("bluefleet/plain/temperature/get", "")
    await machine.broker.heard("bluefleet/plain/response/get", {"status": "ok"}, mark)
    events = machine.broker.on("bluefleet/bridge/machine/event", after)
    assert not [e for e in events if e.json["type"] == "paired"], [str(e) for e in events]


@scenario
async def a_passkey_that_a_device_shows_is_asked_for(machine: Machine) -> None:
    display = Display()
    bonded[SAFE] = bonding(machine, "safe", SAFE, display)
    await bonded[SAFE].start()
    after = machine.broker.mark()
    await machine.broker.publish("bluefleet/bridge/machine/request/pair", {"device": "safe", "transaction": 1})
    await machine.broker.heard("bluefleet/bridge/machine/event", {"type": "passkey_request", "device": "safe"}, after)
    passkey = f"{await display.number:06}"
    request = {"device": "safe", "passkey": passkey, "transaction": 2}
    await machine.broker.publish("bluefleet/bridge/machine/request/pair", request)
    for transaction in [1, 2]:
        answer = {"status": "ok", "transaction": transaction}
        await machine.broker.heard("bluefleet/bridge/machine/response/pair", answer, after)
    mark = machine.broker.mark()
    await machine.broker.publish("bluefleet/safe/temperature/get", "")
    await machine.broker.heard("bluefleet/safe/response/get", {"status": "ok"}, mark)


@scenario
async def unpair_makes_bluetoothd_forget(machine: Machine) -> None:
    after = machine.broker.mark()
    await machine.broker.publish("bluefleet/bridge/machine/request/unpair", {"device": "safe"})
    await machine.broker.heard("bluefleet/bridge/machine/response/unpair", {"status": "ok"}, after)
    mark = machine.broker.mark()
    await machine.broker.publish("bluefleet/bridge/machine/request/unpair", {"device": "safe"})
    await machine.broker.heard("bluefleet/bridge/machine/response/unpair", {"status": "error"}, mark)
    await machine.stop_bridge()
    await bonded[SAFE].hide()
    await bonded[PLAIN].hide()
