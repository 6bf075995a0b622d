"""Values: from the bus to the page, and from the page to the bus."""

import re
import time

from playwright.sync_api import expect
from scene import scene


@scene
def a_changed_value_appears_in_the_open_table(stage):
    stage.enter()
    state = stage.row("relay").locator(".reading", has_text="state")
    expect(state).to_have_text("state off")
    publisher = stage.publisher()
    for value, text in (("true", "state on"), ("false", "state off")):
        start = time.monotonic()
        publisher.publish("relay/output/set", value, retained=False)
        expect(state).to_have_text(text)
        stage.notes.append(f"visible after {time.monotonic() - start:.2f} s")
    publisher.close()


@scene
def the_table_shows_the_newest_values_with_their_units(stage):
    stage.enter()
    row = stage.row("cellar/freezer")
    expect(row.locator(".reading", has_text="temperature")).to_have_text("temperature −18.3 °C")
    expect(row).to_contain_text("71 %")
    night = re.compile("^temperature: least −1.* °C at .*, greatest −.* °C at .*, last −1.* °C$")
    expect(row.get_by_role("img", name=night)).to_be_visible()


@scene
def a_device_without_a_value_shows_its_reason_without_a_click(stage):
    stage.enter()
    first = stage.page.locator("table tbody tr").first
    expect(first).to_contain_text("garden/shed")
    expect(first).to_contain_text("offline")
    expect(first).to_contain_text("the device has not been seen yet")
    stage.note_clicks("finding the reason", 0)
    first.get_by_role("link", name="Why?").click()
    expect(stage.page.locator(".why")).to_contain_text("Press its button or replace its battery")


@scene
def a_value_is_written_and_read(stage):
    stage.enter()
    stage.show_device("relay")
    table = stage.page.locator("section", has=stage.page.get_by_role("heading", name="Readings"))
    level = table.locator("tr", has_text="levels.level")
    for value in ("80", "50"):
        table.locator("tr", has_text="levels.channel").get_by_role("button", name="Write…").click()
        dialog = stage.page.get_by_role("dialog", name="Write relay/levels")
        dialog.get_by_label("channel").fill("1")
        dialog.get_by_label("level").fill(value)
        dialog.get_by_role("button", name="Write").click()
        expect(stage.page.locator(".toast")).to_have_text("levels is written.")
        table.locator("tr", has_text="levels.channel").get_by_role("button", name="Read").click()
        expect(stage.page.locator(".toast")).to_have_text("levels is read.")
        stage.page.locator("main h1").click()
        expect(level).to_contain_text(value)


@scene
def a_click_in_the_table_switches_a_relay(stage):
    stage.enter()
    switch = stage.row("relay").get_by_role("switch", name="state of relay")
    stage.switch_off(switch)
    for checked in (True, False):
        switch.click()
        # The button shows the state that the device reports, not the one that was asked for.
        expect(switch).to_be_checked(checked=checked)
    stage.note_clicks("switching a relay on and off", 2)
    expect(stage.row("cellar/freezer").get_by_role("switch")).to_have_count(0)


@scene
def a_value_that_does_not_fit_is_reported_in_the_words_of_the_response(stage):
    stage.enter()
    stage.are_failed_requests_expected = True
    stage.show_device("relay")
    output = stage.page.locator("tr", has_text="output")
    output.get_by_role("button", name="Write…").click()
    dialog = stage.page.get_by_role("dialog", name="Write relay/output")
    dialog.get_by_label("Value").fill("maybe")
    dialog.get_by_role("button", name="Write").click()
    expect(stage.page.locator(".toast")).to_contain_text("relay/output")


@scene
def a_plot_shows_the_value_under_the_keyboard(stage):
    stage.enter()
    stage.show_device("cellar/freezer")
    plot = stage.page.locator("figure.plot", has_text="temperature").locator("svg")
    expect(plot).to_have_attribute("aria-label", re.compile("least −1.*: single values"))
    plot.focus()
    readout = stage.page.locator("figure.plot", has_text="temperature").locator("figcaption .number")
    # The first slots have no value yet if five minutes have just begun.
    for _ in range(3):
        stage.page.keyboard.press("ArrowLeft")
    expect(readout).to_have_text(re.compile("−.* °C .* to −"))
    earlier = readout.text_content()
    stage.page.keyboard.press("ArrowRight")
    expect(readout).not_to_have_text(earlier)
    chosen = readout.text_content()
    # A new gateway makes the page draw its plots again: before the second request, the first plots are complete.
    with stage.publisher() as publisher:
        for gateway in ("attic-8", "attic-9"):
            with stage.page.expect_response(re.compile(r"api/history\?device=[^&]*$")):
                publisher.publish(f"bridge/{gateway}/state", {"state": "online"})
    expect(plot).to_be_focused()
    expect(readout).to_have_text(chosen)
    stage.page.get_by_role("button", name="1 hour").click()
    expect(stage.page.get_by_role("button", name="1 hour")).to_have_attribute("aria-pressed", "true")


@scene
def a_state_is_a_strip_with_words_and_times(stage):
    stage.enter()
    stage.show_device("relay")
    strip = stage.page.locator("figure.plot", has_text="state").locator("svg.strip")
    # Round times, and at least the word of the first change.
    expect(strip.locator("text", has_text=re.compile(r"^\d\d:00"))).to_have_count(4)
    expect(strip.locator("text", has_text=re.compile("^on$")).first).to_be_attached()
    expect(strip.locator("rect title").first).to_have_text(re.compile("^on from .* to "))
    stage.page.get_by_role("button", name="1 hour").click()
    expect(strip.locator("text", has_text=re.compile(r"^\d\d:[134]"))).not_to_have_count(0)


@scene
def a_history_of_several_days_is_shown_whole(stage):
    with stage.house.another_page("history: 7d") as address:
        page = stage.enter("device/cellar/freezer", address)
        expect(page.get_by_role("button", name="24 hours")).to_have_attribute("aria-pressed", "true")
        page.get_by_role("button", name="7 days").click()
        days = page.locator("figure.plot text[text-anchor=middle]")
        expect(days.first).to_have_text(re.compile("^[A-Z][a-z]{2},? "))
        # The browser would report the end of the other dashboard.
        page.goto("about:blank")


@scene
def a_value_without_a_history_is_shown_without_a_sparkline(stage):
    with stage.publisher() as publisher:
        old = "2026-01-01T00:00:00.000Z"
        publisher.publish("x/old/availability", {"state": "online"})
        publisher.publish("x/old/voltage", {"value": 3.1, "unit": "V", "time": old})
        publisher.publish("x/old/text", {"value": "x" * 50_000, "time": old})
        publisher.wait()
        page = stage.enter()
        row = stage.row("x/old")
        expect(row).to_contain_text("voltage 3.1 V")
        with page.expect_response(lambda response: "reading=voltage" in response.url) as answer:
            page.reload()
        assert answer.value.status == 200
        expect(row).to_contain_text("voltage 3.1 V")
        assert row.locator("svg").count() == 0
        # A text that arrives now is as short as in the summary.
        publisher.publish("x/old/text", {"value": "y" * 50_000, "time": old})
        expect(row).to_contain_text("yyy")
        assert len(row.text_content()) < 500


@scene
def events_from_before_the_page_was_opened_are_listed(stage):
    page = stage.enter("events")
    row = page.locator("tr", has=page.get_by_role("link", name="greenhouse"))
    expect(row.first).to_contain_text("device connected")
    page.get_by_role("searchbox").fill("nothing has this name")
    expect(row).to_have_count(0)


@scene
def a_reading_that_arrives_after_the_page_has_its_unit(stage):
    fields = [{"name": "channel"}, {"name": "level", "unit": "%"}]
    info = {"name": "x/lamp", "characteristics": {"levels": {"fields": fields}}}
    with stage.publisher() as publisher:
        publisher.publish("x/lamp/info", info)
        publisher.wait()
        stage.enter()
        levels = stage.row("x/lamp").locator(".reading", has_text="levels.level")
        expect(stage.row("x/lamp")).to_be_visible()
        publisher.publish("x/lamp/levels", {"channel": 1, "level": 50})
        expect(levels).to_have_text("levels.level 50 %")
        fields[1]["unit"] = "V"
        publisher.publish("x/lamp/info", info)
        expect(stage.row("x/lamp")).to_be_visible()
        publisher.publish("x/lamp/levels", {"channel": 1, "level": 51})
        expect(levels).to_have_text("levels.level 51 V")


@scene
def a_page_without_a_history_asks_for_none(stage):
    page = stage.enter()
    requests = []
    page.on("request", lambda request: requests.append(request.url))

    def without_history(route):
        # The page before the reload has a history, and asks for it until it ends.
        requests.clear()
        response = route.fetch()
        route.fulfill(response=response, json={**response.json(), "history": 0})

    page.route("**/api/summary", without_history)
    page.reload()
    expect(stage.row("greenhouse")).to_contain_text("21.53 °C")
    stage.show_device("greenhouse")
    expect(page.locator("main")).to_contain_text("The history is off.")
    assert not [url for url in requests if "reading=" in url]
