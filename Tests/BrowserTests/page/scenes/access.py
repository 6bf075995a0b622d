"""Access: passwords, and a reverse proxy with a prefix that holds events back."""

import os
import subprocess

from house import House
from playwright.sync_api import expect
from proxy import INGRESS, Proxy
from scene import scene
from stage import HOME_ASSISTANT


def write_password(stage):
    """Returns the path of a file with a password."""
    path = stage.house.run.path("password")
    with open(path, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        file.write("correct horse\n")
    return path


@scene
def a_page_with_a_password_asks_for_it_until_it_is_right(stage):
    password = write_password(stage)
    with stage.house.another_page(f"password_file: {password}") as address:
        stage.are_failed_requests_expected = True
        page = stage.enter(address=address)
        dialog = page.get_by_role("dialog", name="Password")
        dialog.get_by_label("Password").fill("wrong horse")
        dialog.get_by_role("button", name="Sign in").click()
        expect(dialog).to_contain_text("wrong")
        dialog.get_by_label("Password").fill("correct horse")
        dialog.get_by_role("button", name="Sign in").click()
        expect(stage.row("relay")).to_be_visible()
        page.get_by_role("button", name="Sign out").click()
        expect(dialog).to_be_visible()
        for _ in range(6):
            dialog.get_by_label("Password").fill("wrong horse")
            dialog.get_by_role("button", name="Sign in").click()
            expect(dialog.get_by_label("Password")).to_have_value("")
        expect(dialog).to_contain_text("too many")


@scene
def behind_a_proxy_with_a_prefix_that_holds_events_back_values_still_change(stage):
    proxy = Proxy(stage.house)
    try:
        stage.enter(address=proxy.address)
        state = stage.row("relay").locator(".reading", has_text="state")
        publisher = stage.publisher()
        for value in ("true", "false", "true"):
            publisher.publish("relay/output/set", value, retained=False)
            expect(state).to_have_text(f"state {'on' if value == 'true' else 'off'}")
        publisher.close()
        assert proxy.has_seen("wait=25"), "the page has not used long polls"
    finally:
        stage.are_failed_requests_expected = True
        proxy.stop()


@scene
def home_assistant_shows_the_page_in_a_frame_without_another_password(stage):
    keys = f"password_file: {write_password(stage)}, trusted_proxies: [127.0.0.1]"
    with stage.house.another_page(keys) as address:
        port = address.removesuffix("/").rpartition(":")[2]
        proxy = Proxy(stage.house, "/api/hassio_ingress/token/", INGRESS, port)
        try:
            page = stage.enter(address=f"http://{HOME_ASSISTANT}:{proxy.port}/frame")
            frame = page.frame_locator("iframe")
            switch = frame.get_by_role("switch", name="state of relay")
            stage.switch_off(switch)
            for checked in (True, False):
                switch.click()
                expect(switch).to_be_checked(checked=checked)
            for view in ("Nearby", "Gateways", "Events"):
                frame.get_by_role("link", name=view).click()
                expect(frame.locator("nav a[aria-current=page]")).to_have_text(view)
            assert not proxy.has_seen("wait=25"), "the events do not arrive as a stream"
        finally:
            stage.are_failed_requests_expected = True
            proxy.stop()


@scene
def the_doctor_finds_the_page(stage):
    house = stage.house
    stage.enter()
    words = ["doctor", "--brief", "--config", house.run.path("dashboard.yaml"), "--bus", house.bus]
    answer = subprocess.run([house.run.program, *words], capture_output=True, text=True)
    found = [line for line in answer.stdout.splitlines() if " page " in line]
    assert found == [f"ok      page           127.0.0.1:{house.page_port} answers"], answer.stdout + answer.stderr


@scene
def the_doctor_knows_the_same_remedies_as_the_page(stage):
    house, page = stage.house, stage.enter("device/garden/shed")
    step = page.locator(".why p").first
    expect(step).to_contain_text("Press its button")
    words = ["doctor", "--brief", "--config", house.run.path("bluefleet.yaml"), "--bus", house.bus]
    answer = subprocess.run([house.run.program, *words], capture_output=True, text=True)
    text = " ".join(answer.stdout.split())
    expected = f"advice devices garden/shed is offline: the device has not been seen yet. {step.text_content()}"
    assert expected in text, answer.stdout + answer.stderr
