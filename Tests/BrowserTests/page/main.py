"""Plays scenes in a browser: `main.py PROGRAMS RESULTS [SCENE…]`.

PROGRAMS is the folder with the built programs. Prints a line of JSON for each scene: its name, its duration, and the
reason of a failure. The folder RESULTS has the logs, and for a failed scene a picture of its page.
"""

import json
import shutil
import signal
import sys
import time
import traceback
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

import scenes  # noqa: F401 - fills SCENES
from house import House, chromium
from scene import SCENES, title
from stage import HOME_ASSISTANT, Stage


def main(programs, results, chosen):
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir(parents=True)
    house = House(results, programs)
    try:
        house.write_night()
        house.start()
        with sync_playwright() as playwright:
            rule = f"--host-resolver-rules=MAP {HOME_ASSISTANT} 127.0.0.1"
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", rule])
            for scene in SCENES:
                if not chosen or title(scene) in chosen:
                    print(json.dumps(play(scene, house, browser, results)), flush=True)
    finally:
        house.stop()


def play(scene, house, browser, results):
    stage, start = Stage(house, browser), time.monotonic()
    failure = ""
    try:
        scene(stage)
        # Errors of the last step are reported with the next round trip to the page.
        stage.page.evaluate("0")
        assert not stage.faults, "the page must not report errors"
    except Exception as error:
        failure = "\n".join([*stage.faults, describe(error), house.logs()])
        take_picture(stage, results / f"{scene.__name__}.png")
    stage.close()
    seconds = round(time.monotonic() - start, 1)
    return {"name": title(scene), "seconds": seconds, "failure": failure, "notes": ", ".join(stage.notes)}


def describe(error):
    if isinstance(error, AssertionError):
        place = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)
                 if "/BrowserTests/" in frame.filename]
        return f"{error}\n{' > '.join(place[1:])}"
    return "".join(traceback.format_exception(error))


def take_picture(stage, path):
    try:
        stage.page.screenshot(path=path)
    except (Error, AttributeError):
        # There is no page, or it does not answer.
        pass


# SIGTERM ends the programs too.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
