"""Looks: narrow screens, themes, contrast, and the keyboard."""

import re

from contrast import FAINT_TEXTS
from playwright.sync_api import expect
from scene import scene
from stage import VIEWS


def views(stage):
    """Opens each view in turn, and waits for its content."""
    for view in VIEWS:
        stage.show(view)
        if view == "devices":
            expect(stage.row("relay")).to_be_visible()
        elif view == "nearby":
            expect(stage.page.locator("td", has_text="Sensor 71")).to_be_visible()
        elif view == "gateways":
            expect(stage.page.get_by_role("list", name="Connections of hci0")).to_be_visible()
        elif view.startswith("device/"):
            expect(stage.page.get_by_role("heading", name="Connection")).to_be_visible()
        yield view


@scene
def nothing_scrolls_sideways_on_a_phone(stage):
    page = stage.enter(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    for view in views(stage):
        wide = page.evaluate("document.scrollingElement.scrollWidth")
        assert wide <= 360, f"{view} is {wide} pixels wide"
    stage.show_device("relay")
    page.locator("tr", has_text="levels.channel").get_by_role("button", name="Write…").tap()
    box = page.get_by_role("dialog").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360, f"the dialog is outside of the screen: {box}"
    page.get_by_role("dialog").get_by_role("button", name="Cancel").tap()
    # Fingers need buttons of 24 pixels at least (WCAG 2.2, 2.5.8).
    for view in views(stage):
        small = page.evaluate(
            """[...document.querySelectorAll('button, nav a, .button')]
            .map(control => [control.textContent, control.getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && (box.width < 24 || box.height < 24)).map(([text]) => text)""")
        assert small == [], f"{view}: too small: {small}"


@scene
def the_theme_follows_the_system_until_one_is_chosen(stage):
    page = stage.enter(color_scheme="dark")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    dark = page.evaluate(ground)
    page.emulate_media(color_scheme="light")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    light = page.evaluate(ground)
    assert dark != light
    page.get_by_role("button", name="Switch between dark and light").click()
    assert page.evaluate(ground) == dark
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate(ground) == dark


@scene
def each_text_has_enough_contrast_in_both_themes(stage):
    page = stage.enter()
    expect(stage.row("relay")).to_be_visible()
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        for view in views(stage):
            faint = page.evaluate(FAINT_TEXTS)
            assert faint == [], f"{view}, {theme}: {faint}"
        # Values that are old are greyed, and still legible.
        stage.show("devices")
        expect(stage.row("relay")).to_be_visible()
        page.evaluate("document.body.classList.add('old'); document.querySelector('.banner').hidden = false")
        faint = page.evaluate(FAINT_TEXTS)
        assert faint == [], f"old values, {theme}: {faint}"


@scene
def each_control_has_a_name(stage):
    page = stage.enter()
    session = page.context.new_cdp_session(page)
    for view in views(stage):
        check_names(session, view)
    stage.show_device("relay")
    page.locator("tr", has_text="levels.channel").get_by_role("button", name="Write…").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    check_names(session, "the dialog")


def check_names(session, place):
    controls = {"button", "link", "textbox", "searchbox", "combobox", "checkbox", "img", "image", "dialog"}
    for node in session.send("Accessibility.getFullAXTree")["nodes"]:
        role, name = node["role"]["value"], node.get("name", {}).get("value", "").strip()
        if node["ignored"] or role not in controls:
            continue
        assert name, f"{place}: a {role} has no name"
        assert re.search(r"\w", name), f"{place}: the name of a {role} is only a sign: {name}"


@scene
def the_table_of_devices_is_a_table_for_a_screen_reader(stage):
    page = stage.enter()
    expect(stage.row("relay")).to_be_visible()
    expect(page.get_by_role("table", name="Devices")).to_match_aria_snapshot(
        """
        - table "Devices":
          - rowgroup:
            - row:
              - columnheader "Device"
              - columnheader "Readings"
              - columnheader "Signal"
              - columnheader "Battery"
              - columnheader "Last seen"
          - rowgroup:
            - row /garden\\/shed offline/
            - row /cellar\\/freezer temperature −18.3 °C/
        """)
    page.get_by_role("button", name="Battery").click()
    expect(page.get_by_role("columnheader", name="Battery")).to_have_attribute("aria-sort", "ascending")
    expect(page.locator("tbody tr").first).to_contain_text("cellar/freezer")
    page.reload()
    # The order and the filter are part of the address.
    expect(page.get_by_role("columnheader", name="Battery")).to_have_attribute("aria-sort", "ascending")


@scene
def everything_can_be_done_with_the_keyboard(stage):
    page = stage.enter()
    expect(stage.row("relay")).to_be_visible()
    keys = page.keyboard
    keys.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    keys.press("Enter")
    expect(page.locator("main")).to_be_focused()
    keys.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    keys.type("relay")
    expect(page.locator("tbody tr")).to_have_count(1)
    keys.press("Escape")
    keys.press("j")
    expect(page.get_by_role("link", name="relay")).to_be_focused()
    keys.press("Enter")
    expect(page.locator("main h1")).to_contain_text("relay")
    expect(page.get_by_role("button", name="Write…").first).to_be_visible()
    reach(page, "Write…")
    keys.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    expect(dialog.locator("input").first).to_be_focused()
    keys.press("Escape")
    expect(dialog).to_have_count(0)
    keys.press("Escape")
    expect(page.get_by_role("searchbox")).to_be_visible()


@scene
def the_focus_and_open_details_stay_while_the_view_changes(stage):
    with stage.publisher() as publisher:
        for name in ("a/lamp", "x/lamp"):
            publisher.publish(f"{name}/availability", {"state": "online"})
        publisher.wait()
        page = stage.enter("devices?state=all&sort=trouble")
        link = stage.row("x/lamp").get_by_role("link", name="x/lamp", exact=True)
        first = page.locator("tbody tr").first
        expect(link).to_be_visible()
        expect(first).to_contain_text("garden/shed")
        link.focus()
        for name in ("a/lamp", "x/lamp"):
            publisher.publish(f"{name}/availability", {"state": "offline", "reason": "a test"})
        expect(first).to_contain_text("a/lamp")
        expect(link).to_be_focused()
        page.keyboard.press("j")
        page.keyboard.press("k")
        expect(page.locator("tr.current")).to_have_count(1)

        stage.show("gateways")
        place = page.locator("ul.slots").get_by_role("link", name="relay")
        place.focus()
        before = place.element_handle()
        publisher.publish("bridge/attic-9/state", {"state": "online"})
        stage.until("link => !link.isConnected", before)
        expect(place).to_be_focused()

        stage.show("events")
        first = page.locator("tbody tr").first

        def publish_event(device):
            event = {"type": "device_connected", "device": device, "time": "2026-11-21T05:09:00.123Z"}
            publisher.publish("bridge/attic/event", event, retained=False)
            expect(first).to_contain_text(device)

        publish_event("a/lamp")
        row = page.locator("tr", has=page.get_by_role("link", name="a/lamp"))
        row.locator("summary").focus()
        page.keyboard.press("Enter")
        publish_event("x/lamp")
        expect(row.locator("details")).to_have_attribute("open", "")
        expect(row.locator("summary")).to_be_focused()


def reach(page, name):
    """Presses the tab key until the control with a name has the focus, which must be visible."""
    for _ in range(60):
        page.keyboard.press("Tab")
        text, outline = page.evaluate(
            "[document.activeElement.textContent, getComputedStyle(document.activeElement).outlineStyle]")
        if text == name:
            assert outline != "none", f"the focus on {name} is not visible"
            return
    raise AssertionError(f"the tab key never reaches {name}")
