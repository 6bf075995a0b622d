"""The peripherals of the scenarios, with their services and characteristics."""

from journal import Journal
from peripheral import Beacon, Peripheral, Value
from radio import Air

ENVIRONMENTAL_SENSING = "181A"
PRESSURE = "2A6D"
TEMPERATURE = "2A6E"
HUMIDITY = "2A6F"
BATTERY_SERVICE = "180F"
BATTERY_LEVEL = "2A19"
RELAY_ADDRESS = "C0:00:00:00:00:03"
RELAY_SERVICE = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
RELAY_OUTPUT = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
RELAY_BLINK = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
RELAY_SECRET = "6e400004-b5a3-f393-e0a9-e50e24dcca9e"
DECOY_SERVICE = "7e400001-b5a3-f393-e0a9-e50e24dcca9e"
DECOY = "7e400002-b5a3-f393-e0a9-e50e24dcca9e"

TEXT_SERVICE = "8e400001-b5a3-f393-e0a9-e50e24dcca9e"
TEXT = "8e400002-b5a3-f393-e0a9-e50e24dcca9e"
THERMOMETER_SERVICE = "1809"
THERMOMETER = "2A1C"
USER_DESCRIPTION = "2901"

SPECIMEN = "C0:00:00:00:00:04"
UNREACHABLE = "C0:00:00:00:00:05"
UNRESPONSIVE = "C0:00:00:00:00:06"
WRITER = "C0:00:00:00:00:07"
BATTERY = "C0:00:00:00:00:08"
BEACON = "C0:00:00:00:00:09"
SENSORS = range(1, 21)

# The services of batteries that answer questions: a characteristic for the answers, and one for the questions.
BATTERY_QUESTIONS = "FF00"
ANSWER = "FF01"
QUESTION = "FF02"


def sensor_address(number: int) -> str:
    return f"C0:00:00:00:01:{number:02X}"


CLIMATE = {
    ENVIRONMENTAL_SENSING: [
        Value(TEMPERATURE, "READ|NOTIFY", "6908"),  # 21.53 °C
        Value(HUMIDITY, "READ|NOTIFY", "8813"),  # 50 %
        Value(PRESSURE, "READ|NOTIFY", "b0760f00"),  # not configured
    ],
    BATTERY_SERVICE: [Value(BATTERY_LEVEL, "READ|NOTIFY", "5d")],
    DECOY_SERVICE: [Value(DECOY, "READ|NOTIFY", "00")],
}

RELAY = {
    RELAY_SERVICE: [
        Value(RELAY_OUTPUT, "READ|WRITE|NOTIFY", "000000"),
        Value(RELAY_BLINK, "WRITE_WITHOUT_RESPONSE"),
        Value(RELAY_SECRET, "READ|WRITE", "00"),  # not configured as writable
    ],
}


LONG_TEXT = "Lorem ipsum " * 20
SENSOR = {ENVIRONMENTAL_SENSING: [Value(TEMPERATURE, "READ|NOTIFY", "6908")]}

WRITER_SERVICES = {
    THERMOMETER_SERVICE: [Value(THERMOMETER, "INDICATE")],
    TEXT_SERVICE: [Value(TEXT, "READ|WRITE", LONG_TEXT.encode().hex(), {USER_DESCRIPTION: b"story".hex()})],
}


class Fleet:
    """All peripherals: the house from the start, the crowd after `start_crowd`."""

    def __init__(self, air: Air, journal: Journal):
        self.journal = journal
        self.greenhouse = Peripheral(air, journal, "greenhouse", "C0:00:00:00:00:01", CLIMATE)
        self.freezer = Peripheral(air, journal, "freezer", "C0:00:00:00:00:02", CLIMATE, notifies_at_once=True)
        self.relay = Peripheral(air, journal, "relay", RELAY_ADDRESS, RELAY)
        everything, includes = CLIMATE | RELAY | WRITER_SERVICES, {TEXT_SERVICE: [THERMOMETER_SERVICE]}
        self.specimen = Peripheral(air, journal, "specimen", SPECIMEN, everything, includes=includes)

        self.house = [self.greenhouse, self.freezer, self.relay, self.specimen]

        def sensor(name: str, address: str) -> Peripheral:
            return Peripheral(air, journal, name, address, SENSOR)

        self.unreachable = sensor("unreachable", UNREACHABLE)
        self.silent = sensor("silent", UNRESPONSIVE)
        # A small MTU: a long text needs several packets.
        self.writer = Peripheral(air, journal, "writer", WRITER, WRITER_SERVICES, mtu=48, includes=includes)
        self.sensors = {number: sensor(f"sensor {number}", sensor_address(number)) for number in SENSORS}
        asked = {BATTERY_QUESTIONS: [Value(ANSWER, "NOTIFY"), Value(QUESTION, "WRITE_WITHOUT_RESPONSE")]}
        self.battery = Peripheral(air, journal, "battery", BATTERY, asked)
        self.beacon = Beacon(air, BEACON)
        self.crowd = [self.unreachable, self.silent, self.writer, *self.sensors.values()]

    async def start(self) -> None:
        for peripheral in self.house:
            await peripheral.start()

    async def start_crowd(self) -> None:
        """Starts the crowd, the peripherals that hang first, and stops the house."""
        for peripheral in self.house:
            await peripheral.hide()
        for peripheral in self.crowd:
            await peripheral.start()

    async def sensors_alone(self, count: int) -> list[Peripheral]:
        """Starts the first sensors of the crowd, and stops all other peripherals."""
        sensors = list(self.sensors.values())
        for peripheral in [*self.house, self.unreachable, self.silent, self.writer, *sensors[count:]]:
            await peripheral.hide()
        for sensor in sensors[:count]:
            await sensor.start()
        return sensors[:count]
