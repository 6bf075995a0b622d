/// The description of one topic, or of several topics that belong together.
package struct TopicReference {
    package let topics: [String]
    /// Whether the broker retains the last message; nil if the configuration or another program decides.
    package let isRetained: Bool?
    package let meaning: String
    /// An example of a payload; nil for topics whose payloads are described elsewhere.
    package let example: String?

    private init(_ topics: String..., isRetained: Bool?, _ meaning: String, _ example: String? = nil) {
        self.topics = topics
        self.isRetained = isRetained
        self.meaning = meaning
        self.example = example
    }

    /// The topics of the gateway.
    package static let gateway = [
        TopicReference(
            "PREFIX/bridge/GATEWAY/state", isRetained: true,
            """
            Whether the gateway is running: `online` or `offline`. The message `offline` is also the last will, so the broker \
            publishes it when the connection to the gateway breaks.
            """,
            #"{"state":"online"}"#),
        TopicReference(
            "PREFIX/bridge/GATEWAY/info", isRetained: true,
            """
            The gateway's version, its start, its adapters and the number of its devices. `bluetooth` is the state of \
            Bluetooth, and `reason` explains it.
            """,
            """
            {
              "version": "1.0.0",
              "started": "2026-11-21T05:00:00.000Z",
              "bluetooth": "poweredOn",
              "reason": "hci0 is powered on",
              "adapters": [{"name": "hci0", "address": "B8:27:EB:12:34:56", "powered": true}],
              "devices": 3
            }
            """),
        TopicReference(
            "PREFIX/bridge/GATEWAY/health", isRetained: true,
            """
            The gateway's health, once a minute: `memory` in bytes, `cpu_seconds` since the start, notifications per second \
            since the last message, and the counters of the MQTT client since the start. `waiting` messages are queued for \
            the broker; `dropped`, `superseded` and `expired` messages were never sent. For each adapter it shows the \
            connections in use, the devices that wait for one, and the capacity (`null` until it is known). \
            `broker_connects` is the number of connections to the broker. While `clock_synchronized` is false, no time \
            service keeps the machine's clock right, and times can be wrong (`null`: not known). For each device it shows \
            when it was last seen, its connections, notifications and decoding failures; the number of failures as `connect_failed`, \
            `discovery_failed`, `pairing_failed`, `bond_lost` (the device has removed the bond) and `connection_lost`, each \
            if there was one; `rssi` in dBm and `battery` in percent, if they are known. For a device whose advertisements \
            are read, it shows how many were `received`, `decoded` to readings and `refused` (without a key, damaged, or \
            of an unknown format). `spool` is the state of the messages on the disk: `idle`, `keeping` (the broker is away), \
            `replaying`, `full` or `failed`; how many wait, their size in bytes and the oldest time; how many were removed \
            because of the size (`dropped`) or the age (`expired`), or could not be read (`damaged`); the bytes written to \
            the disk and the late messages sent (`replayed`), since the start.
            """,
            """
            {
              "memory": 14680064,
              "cpu_seconds": 31.5,
              "notifications_per_second": 2.1,
              "waiting": 0,
              "sent": 8412,
              "received": 3,
              "dropped": 0,
              "superseded": 0,
              "expired": 0,
              "broker_connects": 1,
              "clock_synchronized": true,
              "adapters": [
                {"name": "hci0", "address": "B8:27:EB:12:34:56", "connections": 2, "waiting": 0, "capacity": 5}
              ],
              "spool": {
                "state": "idle",
                "waiting": 0,
                "bytes": 0,
                "oldest": null,
                "dropped": 0,
                "expired": 0,
                "damaged": 0,
                "written_bytes": 0,
                "replayed": 0
              },
              "devices": {
                "greenhouse": {
                  "last_seen": "2026-11-21T05:09:00.123Z",
                  "connects": 1,
                  "failures": {"connection_lost": 1},
                  "notifications": 512,
                  "decode_failures": 0,
                  "rssi": -61,
                  "battery": 87
                },
                "cellar": {
                  "last_seen": "2026-11-21T05:08:58.123Z",
                  "connects": 0,
                  "failures": {},
                  "notifications": 0,
                  "decode_failures": 0,
                  "advertisements": {"received": 512, "decoded": 480, "refused": 0},
                  "rssi": -74
                }
              },
              "time": "2026-11-21T05:09:00.123Z"
            }
            """),
        TopicReference(
            "PREFIX/bridge/GATEWAY/adapters", isRetained: true,
            """
            The use of the adapters, at most every 5 s when it changes: the connections in use, the devices that wait for \
            one, and the capacity (`null` until it is known).
            """,
            """
            {
              "adapters": [
                {"name": "hci0", "address": "B8:27:EB:12:34:56", "connections": 2, "waiting": 0, "capacity": 5}
              ],
              "time": "2026-11-21T05:09:00.123Z"
            }
            """),
        TopicReference(
            "PREFIX/bridge/GATEWAY/late/DEVICE/NAME", "PREFIX/bridge/GATEWAY/late/event", isRetained: false,
            """
            A reading or an event that waited on the disk while the broker was away (`keep: all`), in the order of `id`. \
            `time` is the time of the value. `id` rises and is never used twice: a message that arrives twice has the same \
            `id`. `time_uncertain` is present if the machine never knew the time between its start and its end. A reading \
            with `payload: value` is JSON here.
            """,
            #"{"value":21.53,"unit":"°C","time":"2026-11-21T05:09:00.123Z","late":true,"id":1795151340123000}"#),
        TopicReference(
            "PREFIX/bridge/GATEWAY/event", isRetained: false,
            "The events of the gateway and its devices; see [Events](#events).",
            #"{"type":"device_connected","device":"greenhouse","time":"2026-11-21T05:09:00.123Z"}"#),
        TopicReference(
            "PREFIX/bridge/GATEWAY/log", isRetained: false,
            """
            The lines of the log, while the request `log` asks for them. `subject` is a part of the gateway, or a device.
            """,
            #"{"level":"info","subject":"greenhouse","message":"connected adapter=hci0","time":"2026-11-21T05:09:00.123Z"}"#
        ),
        TopicReference(
            "PREFIX/bridge/GATEWAY/request/VERB", "PREFIX/bridge/GATEWAY/response/VERB", isRetained: false,
            "Requests to the gateway and their responses; see [Requests to the gateway](#requests-to-the-gateway)."),
    ]

    /// The topics of a device.
    package static let device = [
        TopicReference(
            "PREFIX/DEVICE/availability", isRetained: true,
            """
            Whether the device can be used. `online`: it is connected or was seen. `asleep`: it is not connected, on purpose. \
            `stale`: no value has arrived for longer than expected. `offline`: it cannot be reached. The last two have a \
            `reason`.
            """,
            #"{"state":"stale","reason":"no value of temperature"}"#),
        TopicReference(
            "PREFIX/DEVICE/connection", isRetained: true,
            """
            The state of the connection: `disconnected`, `waiting` (for a free connection of an adapter, or for the device \
            to be seen), `connecting`, `discovering`, `connected` or `disconnecting`. `reason`, `attempts` and `until` (the \
            end of a requested pause) are present if they apply. `rssi` is in dBm, `mtu` in bytes.
            """,
            """
            {"state":"connected","adapter":"hci0","rssi":-61,"mtu":247,"time":"2026-11-21T05:09:00.123Z"}
            """),
        TopicReference(
            "PREFIX/DEVICE/info", isRetained: true,
            """
            What the device offers: for each characteristic its fields and units, and whether it can be read, written and \
            subscribed to; what the device reports about itself; the quantities that it advertises.
            """,
            """
            {
              "name": "greenhouse",
              "address": "C0:00:00:00:00:01",
              "manufacturer": "Example",
              "characteristics": {
                "temperature": {
                  "uuid": "2A6E",
                  "service": "181A",
                  "read": true,
                  "write": false,
                  "subscribe": true,
                  "flags": ["read", "notify"],
                  "fields": [{"name": "temperature", "unit": "°C"}]
                }
              }
            }
            """),
        TopicReference(
            "PREFIX/DEVICE/NAME", isRetained: nil,
            """
            A reading of a characteristic or of an advertised quantity. It is retained unless the configuration says `retain: \
            false`; events such as the press of a button are not retained. `time` is the moment when the gateway received \
            the value, in UTC. A reading with several fields has one member for each field. A value that is not known \
            is `null`. With `payload: value` the payload is the bare value.
            """,
            #"{"value":21.53,"unit":"°C","time":"2026-11-21T05:09:00.123Z"}"#),
        TopicReference(
            "PREFIX/DEVICE/NAME/get", isRetained: false,
            """
            A request to read the characteristic now, with any payload. An object may contain `transaction` and `ttl`. The \
            response arrives on `PREFIX/DEVICE/response/get`.
            """,
            #"{"transaction":7}"#),
        TopicReference(
            "PREFIX/DEVICE/NAME/set", isRetained: false,
            """
            A request to write a value: a number, text, truth value, an object of fields, `{"hex":"0a01"}` or \
            `{"base64":"CgE="}`. An object may also contain `transaction` and `ttl`. Of several values that wait for the \
            device only the newest is written; the others get the response `superseded`. If the format has an op code on \
            which other fields depend, this applies to values with the same op code. The response arrives on \
            `PREFIX/DEVICE/response/set`.
            """,
            #"{"channel":1,"level":40}"#),
        TopicReference(
            "PREFIX/DEVICE/request/VERB", "PREFIX/DEVICE/response/VERB", isRetained: false,
            "Requests to the device and their responses; see [Requests to a device](#requests-to-a-device)."),
    ]

    /// The topics of Home Assistant's MQTT discovery; `HOMEASSISTANT` is its prefix.
    package static let homeAssistant = [
        TopicReference(
            "HOMEASSISTANT/device/bluefleet_ADDRESS/config", isRetained: true,
            """
            The discovery of a device with all its entities, with `discovery: device`. The gateway itself is the device \
            `bluefleet_gateway_GATEWAY`.
            """),
        TopicReference(
            "HOMEASSISTANT/PLATFORM/bluefleet_ADDRESS/KEY/config", isRetained: true,
            "The discovery of one entity, with `discovery: component`."),
        TopicReference(
            "HOMEASSISTANT/status", isRetained: nil,
            "Home Assistant's own state. After `online` the gateway publishes everything retained again.", "online"),
    ]
}
