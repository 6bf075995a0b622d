"""Makes pictures of the page after a night of the freezer: `pictures.py [FOLDER]`, see Tests/BrowserTests/pictures."""

import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from house import BUILT, House, chromium, rig

VIEWS = {
    "devices": "devices",
    "freezer": "device/cellar/freezer",
    "shed": "device/garden/shed",
    "relay": "device/relay",
    "nearby": "nearby",
    "gateways": "gateways",
    "events": "events",
}
README_PICTURE = Path(rig.TESTS).parent / "config/pictures/dashboard.png"


def main(folder):
    with tempfile.TemporaryDirectory() as files, sync_playwright() as playwright:
        house = House(files, BUILT)
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        try:
            house.write_night()
            house.start()
            if folder:
                folder.mkdir(parents=True, exist_ok=True)
                for theme in ("light", "dark"):
                    for width in (1280, 360):
                        take_all(house, browser, folder, theme, width)
            else:
                README_PICTURE.parent.mkdir(exist_ok=True)
                page = open_page(house, browser, "light", 1000, 640)
                show(page, "device/cellar/freezer")
                page.screenshot(path=README_PICTURE)
        finally:
            house.stop()


def open_page(house, browser, theme, width, height):
    """Opens the page, and waits until all devices have values and the gateway has counted their connections."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=theme, locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    page.goto(house.address)
    for name, value in (("greenhouse", "21.53 °C"), ("cellar/freezer", "−18.3 °C"), ("relay", "state off")):
        expect(page.locator("tr", has_text=name)).to_contain_text(value, timeout=60_000)
    expect(page.locator("tr", has_text="garden/shed")).to_contain_text("offline", timeout=60_000)
    # The gateway counts the connections after some seconds.
    expect(page.locator(".lamps")).to_contain_text("attic 3", timeout=60_000)
    return page


def show(page, view):
    page.evaluate("view => location.hash = view", view)
    if view.startswith("device/") and "shed" not in view:
        expect(page.locator("figure.plot").first).to_be_visible()
        expect(page.locator("dt", has_text="Connections").locator("+ dd")).to_have_text("1", timeout=60_000)
    # The scan of the view Nearby finds devices for some seconds.
    time.sleep(6 if view == "nearby" else 1)


def take_all(house, browser, folder, theme, width):
    page = open_page(house, browser, theme, width, 800)
    for name, view in VIEWS.items():
        page.set_viewport_size({"width": width, "height": 800})
        show(page, view)
        # The bar of views on a phone is at the end of the screen, and not in the middle of the picture.
        page.set_viewport_size({"width": width, "height": page.evaluate("document.documentElement.scrollHeight")})
        page.screenshot(path=folder / f"{name}-{theme}-{width}.png")
    page.context.close()


main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
