"""The simulated fleet of the scenes and of the pictures, and the configuration of its bridge."""

SERVICE = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
OUTPUT = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
STATE = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
LEVELS = "6e400004-b5a3-f393-e0a9-e50e24dcca9e"
SECRET = "6e400005-b5a3-f393-e0a9-e50e24dcca9e"

HOSTILE_NAME = "<script>alert(1)</script>"
PASSKEY = "123456"

# Changes of a value come from writes to the relay, so that no scene depends on a clock: the relay copies its output to
# its state.
FLEET = f"""
adapters: {{hci0: {{address: "00:00:5E:00:53:01", connections: 7}}}}
peripherals:
  climate:
    address: C0:00:00:00:00:01
    name: Climate
    advertise: {{services: [181A, 180F], rssi: -58, jitter: 4}}
    services:
      - uuid: 181A
        characteristics:
          - {{uuid: temperature, flags: [read, notify], value: 21.53, notify: 1s}}
          - {{uuid: humidity, flags: [read, notify], value: 48.1, notify: 2s}}
      - uuid: 180F
        characteristics: [{{uuid: battery_level, flags: [read], value: 93}}]
  freezer:
    address: C0:00:00:00:00:02
    name: Freezer
    advertise: {{services: [181A], rssi: -71}}
    services:
      - uuid: 181A
        characteristics: [{{uuid: temperature, flags: [read, notify], value: -18.3, notify: 2s}}]
      - uuid: 180F
        characteristics: [{{uuid: battery_level, flags: [read], value: 71}}]
  relay:
    address: C0:00:00:00:00:03
    name: Relay
    pace: {{connect: 5ms, resolve: 5ms, read: 1ms, write: 1ms, subscribe: 1ms}}
    advertise: {{services: [{SERVICE}], rssi: -49}}
    services:
      - uuid: {SERVICE}
        characteristics:
          - {{uuid: {OUTPUT}, flags: [read, write], hex: "00", mirror: {STATE}}}
          - {{uuid: {STATE}, flags: [read, notify], hex: "00"}}
          - {{uuid: {LEVELS}, flags: [read, write], hex: "0132"}}
  lock:
    address: C0:00:00:00:00:04
    name: Lock
    pairing: passkey {PASSKEY}
    advertise: {{services: [{SERVICE}], rssi: -62}}
    services:
      - uuid: {SERVICE}
        characteristics: [{{uuid: {SECRET}, flags: [read], hex: "01", bond: true}}]
  newcomer:
    address: C0:00:00:00:00:07
    name: Sensor 71
    advertise: {{services: [181A, 180F], rssi: -48}}
    services:
      - uuid: 181A
        characteristics:
          - {{uuid: temperature, flags: [read, notify], value: 20.13, notify: 1s}}
          - {{uuid: humidity, flags: [read, notify], value: 48.1, notify: 1s}}
  hostile:
    address: C0:00:00:00:00:08
    name: "{HOSTILE_NAME}"
    advertise: {{services: [181A], rssi: -80}}
  porch:
    address: C0:00:00:00:00:09
    name: Porch
    advertise: {{every: 2s, rssi: -77, connectable: false, service_data: {{FCD2: 4002400103a41f}}}}
"""


def other_fleet(rssi):
    """Returns the fleet of another gateway, which receives the same beacon, and a lamp of its own."""
    return f"""
adapters: {{hci0: {{address: "00:00:5E:00:53:02", connections: 4}}}}
peripherals:
  lamp:
    address: C0:00:00:00:00:21
    name: Lamp
    advertise: {{services: [181A], rssi: -52}}
    services:
      - uuid: 181A
        characteristics: [{{uuid: temperature, flags: [read, notify], value: 33.5, notify: 1s}}]
  beacon:
    address: C0:00:00:00:00:22
    name: Beacon
    advertise: {{every: 500ms, rssi: {rssi}, connectable: false, service_data: {{FCD2: 4002400103a41f}}}}
"""


def other_configuration(state, port, gateway):
    """Returns the configuration of another gateway. All other gateways share the beacon; each has a lamp of its own."""
    return f"""
gateway: {gateway}
state_directory: {state}
mqtt: {{url: "mqtt://127.0.0.1:{port}"}}
home_assistant: {{discovery: none}}
bluetooth: {{connections: 4}}
share: true
devices:
  {gateway}/lamp:
    address: C0:00:00:00:00:21
    characteristics: {{temperature: {{service: 181A, uuid: 2A6E, subscribe: true}}}}
  beacon:
    address: C0:00:00:00:00:22
    connect: never
"""


def configuration(state, port, gateway="attic"):
    """Returns the configuration of the bridge for this fleet; the broker listens on `port`."""
    return f"""
gateway: {gateway}
state_directory: {state}
log: debug
mqtt: {{url: "mqtt://127.0.0.1:{port}"}}
home_assistant: {{discovery: none}}
devices:
  greenhouse:
    address: C0:00:00:00:00:01
    characteristics:
      temperature: {{service: 181A, uuid: 2A6E, subscribe: true}}
      humidity:    {{service: 181A, uuid: 2A6F, subscribe: true}}
      battery:     {{service: 180F, uuid: 2A19, read: 1h}}
  cellar/freezer:
    address: C0:00:00:00:00:02
    characteristics:
      temperature: {{service: 181A, uuid: 2A6E, subscribe: true}}
      battery:     {{service: 180F, uuid: 2A19, read: 1h}}
  relay:
    address: C0:00:00:00:00:03
    characteristics:
      output:
        service: {SERVICE}
        uuid: {OUTPUT}
        read: on connect
        write: true
        state: state
        format: [{{name: on, type: boolean}}]
      state:
        service: {SERVICE}
        uuid: {STATE}
        read: on connect
        subscribe: true
        format: [{{name: on, type: boolean}}]
      levels:
        service: {SERVICE}
        uuid: {LEVELS}
        read: on connect
        write: true
        format: [{{name: channel, type: uint8}}, {{name: level, type: uint8, unit: "%"}}]
  lock:
    address: C0:00:00:00:00:04
    connect: on demand
    characteristics:
      secret: {{service: {SERVICE}, uuid: {SECRET}, read: on connect, format: [{{name: value, type: uint8}}]}}
  garden/shed:
    address: C0:00:00:00:00:0A
    characteristics:
      temperature: {{service: 181A, uuid: 2A6E, subscribe: true}}
  porch:
    address: C0:00:00:00:00:09
    connect: never
"""
