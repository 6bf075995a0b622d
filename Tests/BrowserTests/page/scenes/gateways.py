"""Three gateways on one broker: their connections, who receives which device how well, and what the page says without one."""

import contextlib

from fleet import other_configuration, other_fleet
from playwright.sync_api import expect
from scene import scene


def section(stage, name):
    return stage.page.get_by_role("region", name=name, exact=True)


@scene
def three_gateways_show_their_connections_and_share_a_device(stage):
    house = stage.house
    with contextlib.ExitStack() as stack:
        # The gateway whose name comes last is the first one that the page hears of.
        garage = stack.enter_context(house.another_gateway("garage", other_fleet(-45), other_configuration))
        page = stage.enter("devices")
        expect(stage.row("beacon")).to_contain_text("garage")
        stack.enter_context(house.another_gateway("cellar", other_fleet(-85), other_configuration))
        stage.show("gateways")
        for name in ("cellar", "garage"):
            slots = section(stage, name).get_by_role("list", name="Connections of hci0")
            expect(slots.get_by_role("link", name=f"{name}/lamp")).to_be_visible()
            expect(section(stage, name)).to_contain_text("1 of 4 connections in use")
        expect(section(stage, "attic").get_by_role("link", name="relay")).to_be_visible()
        # The health of a gateway, which has the signal strengths, follows within a minute.
        row = page.locator("section", has_text="Signal by gateway").get_by_role("row", name="beacon")
        expect(row.get_by_role("cell")).to_contain_text(["beacon", "", "−85", "−45"], timeout=120_000)
        stage.show("devices")
        expect(stage.row("beacon")).to_contain_text("garage")
        expect(stage.row("cellar/lamp")).to_contain_text("33.5 °C")
        expect(stage.row("beacon")).to_have_count(1)
        garage.kill()
        expect(page.locator(".banner[role=alert]")).to_have_text("Offline: garage. The values of this gateway are old.")
        expect(stage.row("garage/lamp")).to_contain_text("offline")
        expect(stage.row("garage/lamp")).to_contain_text("the gateway garage is offline")
        expect(stage.row("cellar/lamp")).not_to_contain_text("offline")
        # The other gateway that shares the device publishes it from now on.
        expect(stage.row("beacon")).to_contain_text("cellar")
        expect(stage.row("beacon")).not_to_contain_text("offline")
        page.reload()
        expect(stage.row("beacon")).to_contain_text("cellar")
        garage.start()
        expect(page.locator(".banner[role=alert]")).to_be_hidden()
        expect(stage.row("garage/lamp")).not_to_contain_text("offline")
    clear(stage)


def clear(stage):
    """Removes the retained messages of the other gateways, so that the page forgets them."""
    publisher = stage.publisher()
    for gateway in ("cellar", "garage"):
        for topic in ("state", "info", "health", "adapters", "devices"):
            publisher.publish(f"bridge/{gateway}/{topic}", "")
    for device in ("cellar/lamp", "garage/lamp", "beacon"):
        for topic in ("availability", "connection", "info", "temperature", "humidity"):
            publisher.publish(f"{device}/{topic}", "")
    publisher.wait()
    expect(stage.row("relay")).to_be_visible()
    for device in ("cellar/lamp", "garage/lamp", "beacon"):
        expect(stage.row(device)).to_have_count(0)
    publisher.close()
