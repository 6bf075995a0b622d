"""Other publishers on the broker: many devices, and messages that are not of the contract."""

import time

from crowd import now, publish_crowd
from playwright.sync_api import expect
from scene import scene

HOSTILE = "<img src=x onerror=alert(1)>"


@scene
def a_thousand_devices_on_three_gateways_appear_and_change(stage):
    with stage.publisher() as publisher:
        publish_crowd(publisher, 1000)
        publisher.wait()
        page = stage.enter("devices?state=all&sort=name&search=sensor/")
        rows = "count => document.querySelectorAll('tbody tr').length >= count"
        # The clock of the browser starts when it begins to load the page.
        for count, words in ((20, "usable"), (1000, "complete")):
            stage.until(rows, count)
            stage.notes.append(f"{words} after {page.evaluate('performance.now() / 1000'):.2f} s")
        value = stage.row("sensor/0003").locator(".reading", has_text="temperature")
        expect(value).to_have_text("temperature 20.5 °C")
        cell = value.element_handle()
        start = time.monotonic()
        publisher.publish("sensor/0003/temperature", {"value": 99.5, "unit": "°C", "time": now()})
        stage.until("cell => cell.textContent === 'temperature 99.5 °C'", cell)
        stage.notes.append(f"change visible after {time.monotonic() - start:.2f} s")
        page.get_by_role("searchbox").fill("sensor/0999")
        expect(page.locator("tbody tr")).to_have_count(1)


@scene
def messages_of_a_hostile_publisher_are_only_text_and_hide_no_device(stage):
    page = stage.enter()
    page.on("dialog", lambda dialog: stage.faults.append(f"a text was run: {dialog.message}"))
    expect(stage.row("relay")).to_be_visible()
    gateway = f"bridge/{HOSTILE}"
    with stage.publisher() as publisher:
        publish_nonsense(publisher, gateway)
        # A payload of 10 MB is more than the dashboard receives.
        publisher.publish("x/odd/large", b'{"value":"' + b"x" * 10_000_000 + b'"}')
        publisher.wait()
        expect(stage.row(HOSTILE)).to_contain_text(HOSTILE)
        expect(stage.row("x/odd")).to_be_visible()
        expect(stage.row("greenhouse")).to_contain_text("21.53 °C")
        for view in ("gateways", "events", "nearby", "devices"):
            stage.show(view)
            expect(page.locator("main")).not_to_be_empty()
        for name in (HOSTILE, "x/odd"):
            stage.show_device(name)
        page.goto(f"{stage.house.address}#devices")
        page.reload()
        expect(stage.row(HOSTILE)).to_contain_text(HOSTILE)
        expect(stage.row("greenhouse")).to_contain_text("21.53 °C")
        assert page.locator("main img, main script").count() == 0
        publisher.publish("relay/output/set", "true", retained=False)
        expect(stage.row("relay").locator(".reading", has_text="state")).to_have_text("state on")


def publish_nonsense(publisher, gateway):
    """Publishes payloads on all topics of the contract whose members have other types, or are code."""
    publisher.publish(f"{gateway}/state", {"state": HOSTILE})
    info = {"version": HOSTILE, "reason": HOSTILE, "started": HOSTILE, "adapters": 7}
    publisher.publish(f"{gateway}/info", info)
    health = {"memory": HOSTILE, "adapters": [None, 1], "devices": [HOSTILE], "spool": 1}
    publisher.publish(f"{gateway}/health", health)
    adapter = {"name": HOSTILE, "connections": HOSTILE, "capacity": -5}
    publisher.publish(f"{gateway}/adapters", {"adapters": [None, adapter]})
    entry = {"name": HOSTILE, "address": HOSTILE, "profile": HOSTILE}
    entries = [entry, {"name": "x/odd", "availability": 3}, None, 5]
    publisher.publish(f"{gateway}/devices", {"devices": entries, "removed": HOSTILE})
    publisher.publish(f"{HOSTILE}/availability", {"state": "offline", "reason": HOSTILE})
    connection = {"state": HOSTILE, "rssi": HOSTILE, "attempts": HOSTILE, "time": 5}
    publisher.publish(f"{HOSTILE}/connection", connection)
    characteristic = {"fields": [{"name": 1}, None], "read": True}
    description = {"name": HOSTILE, "characteristics": {HOSTILE: characteristic, "b": None}}
    publisher.publish(f"{HOSTILE}/info", description)
    publisher.publish(f"{HOSTILE}/{HOSTILE}", {"value": HOSTILE, "unit": HOSTILE, "time": HOSTILE})
    odd = ("null", "[]", "7", '"text"', "{", b"\xff\x00", '{"value":1e999}', '{"value":{"a":[1]}}', '{"time":[]}')
    for index, payload in enumerate(odd):
        publisher.publish(f"x/odd/r{index}", payload)
    event = {"type": HOSTILE, "device": HOSTILE, "time": HOSTILE, "reason": [HOSTILE]}
    publisher.publish(f"{gateway}/event", event, retained=False)
    publisher.publish(f"{gateway}/event", {"type": ["a"], "device": 5}, retained=False)
    publisher.publish(f"{gateway}/event", {"type": "a", "device": 5}, retained=False)
