"""Outages: what the page says while a program behind it is away, and that it recovers by itself."""

from playwright.sync_api import expect
from scene import scene


def banner(stage):
    return stage.page.locator(".banner[role=alert]")


@scene
def without_the_broker_the_page_says_so_and_recovers(stage):
    stage.enter()
    expect(stage.row("relay").locator(".reading", has_text="state")).to_have_text("state off")
    stage.house.broker.kill()
    expect(banner(stage)).to_contain_text("The broker is away. The values below are old")
    expect(stage.page.locator("body.old")).to_have_count(1)
    expect(stage.row("relay").locator(".reading", has_text="state")).to_have_text("state off")
    stage.are_failed_requests_expected = True
    stage.row("garden/shed").get_by_role("button", name="Try now").click()
    expect(stage.page.locator(".toast")).to_contain_text("the broker is away")
    stage.house.broker.start()
    expect(banner(stage)).to_be_hidden()
    expect(stage.page.locator("body.old")).to_have_count(0)
    publisher = stage.publisher()
    # The bridge subscribes again after its own next attempt to connect.
    expect(stage.row("relay")).not_to_contain_text("offline")
    publisher.publish("relay/output/set", "true", retained=False)
    publisher.close()


@scene
def without_the_gateway_its_devices_are_offline_until_it_returns(stage):
    stage.enter()
    expect(stage.row("relay")).not_to_contain_text("offline")
    stage.house.bridge.kill()
    expect(banner(stage)).to_have_text("Offline: attic. The values of this gateway are old.")
    expect(stage.row("relay")).to_contain_text("offline")
    expect(stage.row("relay")).to_contain_text("the gateway attic is offline")
    expect(stage.page.get_by_role("button", name="online 0")).to_be_visible()
    stage.page.reload()
    expect(stage.row("relay")).to_contain_text("the gateway attic is offline")
    stage.house.start_bridge()
    expect(banner(stage)).to_be_hidden()
    expect(stage.row("relay")).not_to_contain_text("offline")
    expect(stage.row("greenhouse")).not_to_contain_text("offline")


@scene
def without_the_dashboard_the_page_says_so_and_recovers(stage):
    stage.enter()
    expect(stage.row("relay")).not_to_contain_text("offline")
    stage.are_failed_requests_expected = True
    stage.house.page.kill()
    expect(banner(stage)).to_have_text("The dashboard does not answer. The values below are old.")
    expect(stage.page.locator("body.old")).to_have_count(1)
    stage.house.start_page()
    expect(banner(stage)).to_be_hidden()
    expect(stage.page.locator("body.old")).to_have_count(0)
    expect(stage.row("greenhouse")).to_contain_text("21.53 °C")


@scene
def a_page_that_is_opened_without_the_dashboards_answer_loads_later(stage):
    stage.are_failed_requests_expected = True
    page = stage.enter()
    expect(stage.row("relay")).to_be_visible()
    page.route("**/api/**", lambda route: route.abort())
    page.reload()
    expect(page.locator("main")).to_contain_text("The dashboard does not answer. The page tries again.")
    page.unroute("**/api/**")
    expect(stage.row("relay")).to_be_visible()
