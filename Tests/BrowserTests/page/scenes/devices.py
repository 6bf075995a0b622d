"""Devices: adding, renaming, removing and pairing them."""

import re
import subprocess

from crowd import now
from fleet import HOSTILE_NAME, PASSKEY
from playwright.sync_api import expect
from scene import scene


@scene
def a_characteristic_without_a_format_is_described_and_shown_as_yaml(stage):
    page = stage.enter("nearby")
    page.locator("tr", has_text="Lock").get_by_role("link", name="lock").wait_for()
    answer = {"status": "ok", "data": {"services": [{"uuid": "181A", "characteristics": [
        {"uuid": "6e400009-b5a3-f393-e0a9-e50e24dcca9e", "flags": ["read"], "hex": "2a00"}]}]}}
    page.route("**/api/request/inspect", lambda route: route.fulfill(json=answer))
    page.locator("tr", has_text="Sensor 71").get_by_role("button", name="Inspect").click()
    panel = page.get_by_role("region", name="Inspected device")
    expect(panel.get_by_label("6e400009 0x2a00, not known")).not_to_be_checked()
    panel.get_by_role("button", name="Describe 6e400009").click()
    dialog = page.get_by_role("dialog", name="Format of 6e400009")
    dialog.get_by_label("Type").select_option("uint16")
    dialog.get_by_label("Scale").fill("0.1")
    dialog.get_by_label("Unit").fill("V")
    dialog.get_by_role("button", name="Use it").click()
    panel.get_by_text("As YAML").click()
    text = panel.locator("pre")
    expect(text).to_contain_text("sensor_71:\n  address: C0:00:00:00:00:07\n  connect: always\n  characteristics:\n")
    expect(text).to_contain_text('"format":[{"name":"value","type":"uint16","scale":0.1,"unit":"V"}]')
    panel.get_by_label("Name").fill("porch/left")
    expect(text).to_contain_text("porch/left:")
    # The text is a device of the configuration.
    house = stage.house
    entry = "".join(f"  {line}\n" for line in text.text_content().splitlines())
    file = house.run.write("proposed.yaml", f"devices:\n{entry}")
    answer = subprocess.run([house.run.program, "check", file], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout + answer.stderr


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
def many_devices_nearby_can_be_searched(stage):
    devices = [{"address": f"C1:00:00:00:00:{number:02X}", "name": f"Tag {number}", "rssi": -60} for number in range(12)]
    page = stage.enter()
    answer = {"status": "ok", "data": {"devices": devices}}
    page.route("**/api/request/scan", lambda route: route.fulfill(json=answer))
    stage.show("nearby")
    expect(page.locator("tbody tr")).to_have_count(12)
    page.get_by_role("searchbox", name="Search devices nearby").fill("tag 11")
    expect(page.locator("tbody tr")).to_have_count(1)


@scene
def a_device_is_renamed(stage):
    page = stage.enter()
    stage.row("sensor_71").get_by_role("link", name="sensor_71").click()
    plot = page.locator("figure.plot", has_text="temperature")
    expect(plot).to_be_visible()
    page.get_by_role("button", name="Rename…").click()
    dialog = page.get_by_role("dialog", name="Rename sensor_71")
    dialog.get_by_label("New name").fill("house/porch #2")
    stage.are_failed_requests_expected = True
    dialog.get_by_role("button", name="Rename").click()
    stage.note_clicks("renaming a device", 3)
    # The name is not valid: the page shows the reason and stays.
    expect(page.locator(".toast")).to_contain_text("house/porch #2")
    page.get_by_role("button", name="Rename…").click()
    dialog.get_by_label("New name").fill("house/hall")
    dialog.get_by_role("button", name="Rename").click()
    expect(page.locator("main h1")).to_contain_text("house/hall")
    expect(page.locator("tr", has_text="temperature")).to_contain_text("20.13")
    expect(plot).to_be_visible()
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
    stage.row("lock").get_by_role("link", name="lock").click()
    page.get_by_role("button", name="Pair…").click()
    dialog = page.get_by_role("dialog", name="Pair lock")
    expect(dialog).to_contain_text("The device shows a number.")
    dialog.get_by_role("textbox").fill(PASSKEY)
    dialog.get_by_role("button", name="Pair", exact=True).click()
    stage.note_clicks("pairing a device", 3)
    expect(page.locator(".toast")).to_have_text("lock is paired.")
    page.locator("tr", has_text="secret").get_by_role("button", name="Read").click()
    expect(page.locator(".toast")).to_have_text("secret is read.")
    page.get_by_role("button", name="Unpair").click()
    page.get_by_role("dialog").get_by_role("button", name="Unpair").click()
    expect(page.locator(".toast")).to_have_text("lock is unpaired.")


@scene
def the_dialog_of_a_pairing_ends_with_the_pairing(stage):
    page = stage.enter()
    stage.show_device("lock")
    stage.are_failed_requests_expected = True
    page.get_by_role("button", name="Pair…").click()
    dialog = page.get_by_role("dialog", name="Pair lock")
    expect(dialog).to_contain_text(re.compile(r"\d+ s left"))
    # Another program answers with a wrong number.
    publisher = stage.publisher()
    publisher.publish("bridge/attic/request/pair", {"device": "lock", "passkey": "000001"}, retained=False)
    publisher.close()
    expect(page.locator(".toast")).not_to_be_empty()
    expect(dialog).to_have_count(0)


@scene
def the_connections_of_a_gateway_show_their_devices(stage):
    page = stage.enter()
    page.get_by_role("link", name="Gateways").click()
    slots = page.get_by_role("list", name="Connections of hci0")
    expect(slots.get_by_role("link", name="relay")).to_be_visible()
    stage.note_clicks("seeing who has the connections", 1)
    expect(page.locator("main")).to_contain_text("Waiting: garden/shed")
    page.get_by_role("button", name="Reload configuration").click()
    expect(page.locator(".toast")).to_have_text("Loaded: 0 added, 0 changed, 0 removed.")


@scene
def a_gateway_shows_its_broker_its_radio_and_its_repairs(stage):
    page = stage.enter("gateways")
    main = page.locator("main")
    expect(main).to_contain_text("BlueZ 5.66")
    address = re.escape(f"mqtt://127.0.0.1:{stage.house.broker_port}")
    expect(main).to_contain_text(re.compile(address + r", connected since [^,]+, connections since the start: "))
    # The health, which has the times of the radio, follows within a minute.
    expect(main).to_contain_text(re.compile(r"radio: scanning \d+ s, connecting \d+ s per hour"), timeout=120_000)
    publisher = stage.publisher()
    repair = {"type": "repair", "adapter": "hci0", "repair": "restart_scan", "reason": "no advertisements", "time": now()}
    publisher.publish("bridge/attic/event", repair, retained=False)
    publisher.close()
    expect(main).to_contain_text("hci0: restart scan, no advertisements")
    page.get_by_role("button", name="Log level…").click()
    dialog = page.get_by_role("dialog", name="Log of attic")
    expect(dialog.get_by_label("Lowest level")).to_have_value("debug")
    dialog.get_by_role("button", name="Set").click()
    expect(page.locator(".toast")).to_contain_text("The level is debug")


@scene
def a_configuration_with_mistakes_is_not_loaded_and_each_mistake_has_its_place(stage):
    page = stage.enter("gateways")
    stage.are_failed_requests_expected = True
    path = stage.house.run.path("bluefleet.yaml")
    with open(path) as file:
        text = file.read()
    try:
        stage.house.run.write("bluefleet.yaml", f"{text}mqqt: {{}}\ndevicez: {{}}\n")
        page.get_by_role("button", name="Reload configuration").click()
        dialog = page.get_by_role("dialog", name="attic has changed nothing")
        line = text.count("\n") + 1
        for place in (f"{line}:1: ", f"{line + 1}:1: "):
            expect(dialog).to_contain_text(f"bluefleet.yaml:{place}")
        dialog.get_by_role("button", name="Close").click()
        expect(dialog).to_have_count(0)
    finally:
        stage.house.run.write("bluefleet.yaml", text)


@scene
def a_peripheral_with_a_name_like_code_is_only_text(stage):
    page = stage.enter("nearby")
    page.on("dialog", lambda dialog: stage.faults.append(f"the name was run: {dialog.message}"))
    cell = page.locator("td", has_text="alert(1)")
    expect(cell).to_have_text(HOSTILE_NAME)
    assert page.locator("main script").count() == 0
