"""Devices: adding, renaming, removing and pairing them."""

import re

from fleet import HOSTILE_NAME, PASSKEY
from playwright.sync_api import expect
from scene import scene


@scene
def a_device_is_added_in_three_clicks(stage):
    page = stage.enter()
    page.get_by_role("link", name="Nearby").click()
    found = page.locator("tr", has_text="Sensor 71")
    found.get_by_role("button", name="Inspect").click()
    panel = page.get_by_role("region", name="Inspected device")
    expect(panel.get_by_label(re.compile("^temperature"))).to_be_checked()
    expect(panel).to_contain_text("20.13 °C")
    panel.get_by_role("button", name="Add sensor_71").click()
    stage.note_clicks("adding a device", 3)
    expect(page.locator("main h1")).to_contain_text("sensor_71")
    expect(page.locator("tr", has_text="temperature")).to_contain_text("20.13")
    stage.show("devices")
    expect(stage.row("sensor_71")).to_contain_text("20.13 °C")
    expect(page.get_by_role("button", name="new 1")).to_be_visible()


@scene
def a_device_is_renamed(stage):
    page = stage.enter()
    stage.show_device("sensor_71")
    page.get_by_role("button", name="Rename…").click()
    dialog = page.get_by_role("dialog", name="Rename sensor_71")
    dialog.get_by_label("New name").fill("house/porch #2")
    stage.are_failed_requests_expected = True
    dialog.get_by_role("button", name="Rename").click()
    # The name is not valid: the page shows the reason and stays.
    expect(page.locator(".toast")).to_contain_text("house/porch #2")
    page.get_by_role("button", name="Rename…").click()
    dialog.get_by_label("New name").fill("house/hall")
    dialog.get_by_role("button", name="Rename").click()
    stage.note_clicks("renaming a device twice", 4)
    expect(page.locator("main h1")).to_contain_text("house/hall")
    expect(page.locator("tr", has_text="temperature")).to_contain_text("20.13")
    stage.show("devices")
    expect(stage.row("house/hall")).to_contain_text("20.13 °C")
    expect(stage.row("sensor_71")).to_have_count(0)


@scene
def a_device_is_removed_after_a_question(stage):
    page = stage.enter()
    stage.show_device("house/hall")
    page.get_by_role("button", name="Remove…").click()
    dialog = page.get_by_role("dialog", name="Remove house/hall?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Remove…").click()
    dialog.get_by_role("button", name="Remove house/hall").click()
    stage.note_clicks("removing a device after a second thought", 4)
    expect(page.locator(".toast")).to_have_text("house/hall is removed.")
    expect(stage.row("relay")).to_be_visible()
    expect(stage.row("house/hall")).to_have_count(0)


@scene
def a_device_is_paired_with_the_number_that_it_shows(stage):
    page = stage.enter()
    stage.show_device("lock")
    page.get_by_role("button", name="Pair…").click()
    dialog = page.get_by_role("dialog", name="Pair lock")
    expect(dialog).to_contain_text("The device shows a number.")
    dialog.get_by_role("textbox").fill(PASSKEY)
    dialog.get_by_role("button", name="Pair", exact=True).click()
    stage.note_clicks("pairing a device", 2)
    expect(page.locator(".toast")).to_have_text("lock is paired.")
    page.locator("tr", has_text="secret").get_by_role("button", name="Read").click()
    expect(page.locator(".toast")).to_have_text("secret is read.")
    page.get_by_role("button", name="Unpair").click()
    page.get_by_role("dialog").get_by_role("button", name="Unpair").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


@scene
def the_connections_of_a_gateway_show_their_devices(stage):
    page = stage.enter("gateways")
    slots = page.get_by_role("list", name="Connections of hci0")
    expect(slots.get_by_role("link", name="relay")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Waiting: garden/shed")
    page.get_by_role("button", name="Reload configuration").click()
    expect(page.locator(".toast")).to_have_text("Loaded: 0 added, 0 changed, 0 removed.")


@scene
def a_peripheral_with_a_name_like_code_is_only_text(stage):
    page = stage.enter("nearby")
    page.on("dialog", lambda dialog: stage.faults.append(f"the name was run: {dialog.message}"))
    cell = page.locator("td", has_text="alert(1)")
    expect(cell).to_have_text(HOSTILE_NAME)
    assert page.locator("main script").count() == 0
