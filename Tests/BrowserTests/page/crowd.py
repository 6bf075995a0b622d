"""Three gateways with many devices, published by one client."""

import datetime


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def address(name):
    number = int(name.removeprefix("sensor/"))
    return f"C1:00:00:00:{number // 256:02X}:{number % 256:02X}"


def publish_crowd(publisher, count, gateways=("attic-1", "attic-2", "attic-3")):
    """Publishes `count` devices `sensor/0000`, `sensor/0001` …; each has four topics and two readings."""
    time = now()
    for index, gateway in enumerate(gateways):
        names = [f"sensor/{number:04}" for number in range(index, count, len(gateways))]
        publisher.publish(f"bridge/{gateway}/state", {"state": "online"})
        devices = [
            {"name": name, "address": address(name), "source": "configuration", "connect": "always",
             "availability": {"state": "online", "since": time}} for name in names
        ]
        publisher.publish(f"bridge/{gateway}/devices", {"devices": devices, "removed": []})
        for name in names:
            publisher.publish(f"{name}/availability", {"state": "online"})
            connection = {"state": "connected", "adapter": "hci0", "rssi": -60, "time": time}
            publisher.publish(f"{name}/connection", connection)
            publisher.publish(f"{name}/temperature", {"value": 20.5, "unit": "°C", "time": time})
            publisher.publish(f"{name}/humidity", {"value": 48.1, "unit": "%", "time": time})
