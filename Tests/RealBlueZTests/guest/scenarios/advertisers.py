"""Advertisements that the bridge sends through bluetoothd, received by another adapter."""

from bridge import GATEWAY
from machine import Machine
from radio import ADAPTER_ADDRESS, plug_in_adapter
from scenario import scenario

SECOND_ADDRESS = "00:00:5E:00:53:02"

ADVERTISER = f"""\
{GATEWAY}
advertisers:
  cellar:
    adapter: "{ADAPTER_ADDRESS}"
    name: Cellar
    interval: 100ms
    objects:
      battery: 80
      temperature: {{topic: home/cellar}}
devices:
  echo: {{address: "{ADAPTER_ADDRESS}", connect: never, publish: {{on_change: false}}}}
"""


@scenario
async def an_advertisement_is_sent_and_sent_again_after_bluetoothd_was_killed(machine: Machine) -> None:
    second = await plug_in_adapter(machine.air, SECOND_ADDRESS)
    after = machine.broker.mark()
    await machine.start_bridge(ADVERTISER)
    await machine.broker.received("bluefleet/echo/battery", {"value": 80}, after)
    await machine.broker.publish("home/cellar", "21.5")
    await machine.broker.received("bluefleet/echo/temperature", {"value": 21.5}, after)
    await machine.bluetoothd.kill()
    machine.bluez.step("bluetoothd starts again")
    await machine.start_bluetoothd()
    after = machine.broker.mark()
    await machine.broker.publish("home/cellar", "22.5")
    await machine.broker.received("bluefleet/echo/temperature", {"value": 22.5}, after)
    await machine.bluez.set_powered(False)
    await machine.bluez.set_powered(True)
    after = machine.broker.mark()
    await machine.broker.publish("home/cellar", "23.5")
    await machine.broker.received("bluefleet/echo/temperature", {"value": 23.5}, after)
    assert await machine.stop_bridge() == 0, "the bridge failed on its end"
    await second.unplug()
