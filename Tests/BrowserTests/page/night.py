"""A history of 24 hours for the pictures: a freezer whose door stood open for some time in the night."""

import json
import math
import random
import sqlite3
import struct
import time

SLOT = 300
# The table of Sources/bluefleet-dashboard/HistoryFile.swift.
TABLE = """
CREATE TABLE readings (
    device TEXT, reading TEXT, hour INTEGER, unit TEXT, state INTEGER, data BLOB,
    PRIMARY KEY (device, reading, hour)) WITHOUT ROWID;
PRAGMA user_version = 1;
"""


def hours_since_three():
    """Returns the hours since the last 3 o'clock of the night."""
    now = time.localtime()
    return (now.tm_hour - 3) % 24 + now.tm_min / 60


def freezer(hours):
    """Returns the temperature a number of hours ago: the compressor runs, and from 3 o'clock the door stands open."""
    normal = -18.3 + 0.7 * math.sin(hours * 2 * math.pi / 0.8)
    opened = hours_since_three()
    closed = opened - 0.85
    if closed < hours < opened:
        return normal + 10.2 * (1 - math.exp((hours - opened) * 4))
    if hours <= closed:
        return normal + 9.9 * math.exp((hours - closed) * 1.6)
    return normal


def greenhouse(hours):
    return 19 + 4 * math.cos((hours - 3) * 2 * math.pi / 24)


def write_night(path):
    """Writes the history into a new file of the dashboard."""
    chance, now = random.Random(1), int(time.time()) // SLOT
    rows = {}
    courses = [
        ("cellar/freezer", "temperature", "°C", freezer, 0.3),
        ("greenhouse", "temperature", "°C", greenhouse, 0.1),
        ("greenhouse", "humidity", "%", lambda hours: 96 - 2.5 * greenhouse(hours), 0.8),
    ]
    for device, reading, unit, course, noise in courses:
        for slot in range(now - 288, now):
            # The greenhouse was out of range for an hour.
            ago = (now - slot) * SLOT / 3600
            if device == "greenhouse" and 6 < ago < 7:
                continue
            mean = round(course(ago) + chance.uniform(-noise, noise) / 3, 2)
            hour, place = divmod(slot, 12)
            slots = rows.setdefault((device, reading, unit, hour), [math.nan] * 36)
            slots[place * 3:place * 3 + 3] = [mean - noise, mean, mean + noise]
    database = sqlite3.connect(path)
    database.executescript(TABLE)
    for (device, reading, unit, hour), slots in rows.items():
        write(database, device, reading, hour, unit, 0, struct.pack("<36f", *slots))
    begin = int(time.time() * 1000) - 20 * 3_600_000
    for index, state in enumerate(("true", "false", "true", "false")):
        change = begin + index * 4 * 3_600_000
        data = json.dumps([[change, state]]).encode()
        write(database, "relay", "state", change // 3_600_000, "", 1, data)
    database.commit()
    database.close()


def write(database, *row):
    database.execute("INSERT INTO readings VALUES (?, ?, ?, ?, ?, ?)", row)
