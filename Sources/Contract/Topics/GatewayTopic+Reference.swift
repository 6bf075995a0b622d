import Configuration
import JSON
import MQTT
import System

extension GatewayTopic {
    package var reference: TopicReference {
        switch self {
        case .state:
            document(
                """
                Whether the gateway is running: `online` or `offline`. The message `offline` is also the last will, so the \
                broker publishes it when the connection to the gateway breaks.
                """,
                [
                    .init("start", "a random name for each start of a gateway that shares devices (`share`)"),
                    .init("connection", "the number of its connection to the broker, with `start`"),
                ], example: GatewayState.online.json(of: FleetConnection(start: Self.exampleStart, number: 3)))
        case .info:
            document(
                "The gateway's version, its start, its adapters, the number of its devices and its broker.",
                [
                    .init("started", "the start of the gateway"),
                    .init("bluetooth", BluetoothState.allCases.names),
                    .init("reason", "the explanation of `bluetooth` in words"),
                    .init("adapters", "the adapters; `reason` explains why an adapter is off, if that is known"),
                    .init("devices", "the number of devices"),
                    .init("broker", "the URL of the broker, or of the node in use of a cluster"),
                    .init("bluez", "the version of bluetoothd, if an adapter reports it"),
                ], example: Self.exampleInfo.json)
        case .health:
            document(
                "The health of the gateway and its devices, once a minute.", Self.healthMembers,
                example: Self.exampleHealth.json)
        case .adapters:
            document(
                "The use of the adapters, at most every 5 s when it changes.", AdapterUse.members,
                example: AdapterReport(adapters: Example.adapters, time: Example.time).json)
        case .devices:
            document(
                "All devices that the gateway manages, sorted by name. Published at most once a second when the list or an "
                    + "availability changes, less often for more than 100 devices.",
                [
                    .init(
                        "source",
                        "`configuration`: the configuration file lists the device; `added`: the request `device/add` added "
                            + "it; `adopted`: a fleet rule adopted it"),
                    .init("profile", "the profile that the device's entry or fleet rule names, if there is one"),
                    .init("connect", "the value of the key `connect`"),
                    .init("options", "the settings that the request `device/options` changed, if there are any"),
                    .init(
                        "availability",
                        "the state and the reason of the device's topic `availability`, and `since`: since when the "
                            + "gateway has reported this state"),
                    .init("removed", "the names of the devices that the request `device/remove` removed"),
                ], example: Self.exampleDevices.json)
        case .event:
            document(
                "The events of the gateway and its devices, except those with a secret; see [Events](#events).",
                example: GatewayEvent.deviceConnected(device: "greenhouse").json(at: Example.time))
        case .pairing:
            document(
                """
                The events with a passkey or a number of a pairing: \(Self.secretEvents). They are published only while the \
                broker is connected, and are never stored. Only the user who pairs devices should have the right to read \
                this topic.
                """,
                example: GatewayEvent.passkeyDisplay(.device("lock"), passkey: Example.passkey).json(at: Example.time))
        case .log:
            document(
                """
                The lines of the log, while the request `log` asks for them. `subject` is a part of the gateway, or a \
                device.
                """,
                example: LogEntry(
                    level: .info, subject: "greenhouse", message: "connected adapter=hci0", time: Example.time
                ).json)
        case .report:
            document(
                """
                For gateways that share devices (`share`), once a second: what the gateway receives and owns. Only gateways \
                read and write this topic. No program may write it under the name of another gateway: see \
                `config/mosquitto.acl`.
                """,
                [
                    .init("start", "the random name of the process"),
                    .init("n", "the number of the report"),
                    .init("part", "the number of this message and of all, if one has no room for all devices"),
                    .init("follows", "the key of the decider: epoch, rank, gateway, start"),
                    .init(
                        "hears", "the changed signal strengths in dBm; `null`: the gateway does not receive the device"),
                    .init("want", "the devices whose owner the gateway asks for, because it keeps readings of them"),
                    .init(
                        "begun", "the requests that the gateway is about to carry out, with their messages in base64"),
                    .init("done", "the requests that have been answered"),
                ], example: Self.exampleReport.json)
        case .decision:
            document(
                """
                Twice a second from the gateway that decides: which reports it has received, and which gateway owns which \
                device. Only gateways read and write this topic.
                """,
                [
                    .init("key", "the key of the decider: epoch, rank, gateway, start"),
                    .init("acks", "for each running gateway: its start, its last report and its last full report"),
                    .init("next", "the gateways that decide next"),
                    .init(
                        "own",
                        """
                        the new owners: gateway, stamp of the assignment, `why` in words, the gateways with a bond (`bonded`), \
                        the `counters` of the last encrypted advertisements, and which kept readings no gateway has published: \
                        those under the stamp `after`, until the assignment (`age`: the milliseconds since then), or until now \
                        (`unheard`: the owner has not received the device)
                        """),
                    .init(
                        "changes",
                        "the changes of devices that the decider has: the greatest revision, and a fingerprint of all"),
                ], example: Self.exampleDecision.json)
        case .changes:
            document(
                """
                What requests such as `device/add` have changed on shared devices, and which devices fleet rules have \
                adopted, for all gateways that share them. A gateway whose changes differ from those of the decider \
                publishes `known`, and gets what it lacks. Only gateways read and write this topic.
                """,
                [
                    .init(
                        "changes",
                        """
                        by address of the device: `revision` (of two changes of a device, the one with the greater revision \
                        counts), and `content`, which is empty for a removed device
                        """),
                    .init("known", "the revisions of all changes that the gateway has"),
                    .init("after", "`known` has only the addresses after this one"),
                    .init("last", "`known` has only the addresses up to this one"),
                    .init("wanted", "by gateway: the devices whose changes this one lacks"),
                ], example: Self.exampleChanges.json)
        }
    }

    private static let exampleStart = "51aa72c3"
    private static let exampleKey = FleetKey(epoch: 7, rank: 100, gateway: "attic", start: exampleStart)

    private static var exampleReport: FleetReport {
        var report = FleetReport(
            start: exampleStart, number: 4711, connection: 3, followed: exampleKey, freeSlots: 0)
        report.part = FleetReport.Part(number: 1, count: 2)
        report.signals = ["porch": .received(-75), "mug": .none]
        report.wanted = ["garden"]
        let content = RequestContent(Message("bluefleet/porch/temperature/get"))
        report.begun = ["3f0c9d51aa72c3e8.0": FleetRequest(device: "porch", remaining: 60_000, content: content.json)]
        report.done = ["9b1e5ad177b0c2f4.2"]
        return report
    }

    private static var exampleDecision: FleetDecision {
        var decision = FleetDecision(key: exampleKey, number: 88)
        decision.acknowledgements = [
            "attic": .init(start: exampleStart, number: 4711, whole: 4690),
            "cellar": .init(start: "77b0a1d4", number: 12, whole: nil),
        ]
        decision.successors = ["cellar"]
        decision.owners = [
            "porch": .init(
                gateway: "cellar", stamp: FleetStamp(key: exampleKey, number: 32), why: "-58 here, -79 at attic",
                past: .init(after: FleetStamp(key: exampleKey, number: 31), age: 0, isUnheard: false))
        ]
        decision.changes = FleetChanges.Summary(greatest: 12, fingerprint: "5ad1")
        return decision
    }

    private static let exampleChanges = FleetChanges(
        changes: [
            "\(Example.address)": FleetChanges.Change(
                revision: FleetRevision(number: 12, gateway: "attic"),
                content: ["added": ["name": "attic/window", "entry": ["address": .text(Example.address)]]])
        ],
        known: .init(
            revisions: ["\(Example.address)": FleetRevision(number: 12, gateway: "attic")],
            after: "\(Example.adapter)", last: "\(Example.address)"),
        wanted: ["cellar": ["\(Example.adapter)"]])

    private static let secretEvents = GatewayEvent.Kind.allCases.filter(\.isSecret).map {
        "[`\($0.rawValue)`](#\($0.rawValue))"
    }
    .joined(separator: ", ")

    private func document(
        _ meaning: String, _ members: [TopicReference.Member] = [], example: JSON
    ) -> TopicReference {
        TopicReference(
            ["PREFIX/bridge/GATEWAY/\(name)"], isRetained ? .retained : .notRetained, meaning, members,
            example: example.description)
    }

    private static let exampleInfo = GatewayInfo(
        version: "1.0.0", bluez: "5.82", started: Timestamp(milliseconds: Example.time.milliseconds - 540_123),
        bluetooth: .poweredOn, reason: "hci0 (\(Example.adapter)) is on",
        adapters: [.init(name: "hci0", address: Example.adapter, isPowered: true)], deviceCount: 3,
        broker: "mqtt://localhost:1883")

    private static let exampleDevices = DeviceList(
        devices: [
            .init(
                name: "greenhouse", address: Example.address, source: .configuration, profile: "climate",
                connect: "every 10m", options: ["connect": "every 10m"], availability: Availability(state: .asleep),
                since: Example.time)
        ], removed: ["attic/window"])

    private static var exampleHealth: GatewayHealth {
        var messages = GatewayHealth.Messages()
        messages.waitingBytes = 0
        messages.sent = 8412
        messages.received = 3
        let greenhouse = DeviceHealth(
            lastSeen: Example.time, connects: 1, failures: [.connectionLost: 1], notifications: 512, rssi: -61,
            battery: JSON.Number(87))
        let cellar = DeviceHealth(
            lastSeen: Timestamp(milliseconds: Example.time.milliseconds - 2000),
            advertisements: AdvertisementCounters(received: 512, decoded: 480), rssi: -74)
        var broker = BrokerStatus()
        (broker.refused, broker.held) = ([Example.refusal], 1)
        var adapters = Example.adapters
        adapters[0].radio = AdapterUse.Radio(
            advertisements: 48_213, scanning: .seconds(512), connecting: .seconds(7))
        broker.restrictions = [Example.restriction]
        broker.connectedSince = Timestamp(milliseconds: Example.time.milliseconds - 540_000)
        return GatewayHealth(
            memory: 14_680_064, processorSeconds: 31.5,
            notificationsPerSecond: JSON.Number(2.1) ?? JSON.Number(2), messages: messages, brokerConnects: 1,
            broker: broker, isClockSynchronized: true, adapters: adapters, spool: SpoolStatus(.idle),
            fleet: Example.fleet, advertisers: [Example.advertiser],
            devices: ["greenhouse": greenhouse, "cellar": cellar], time: Example.time)
    }

    private static let healthMembers: [TopicReference.Member] =
        [
            .init("memory", "the memory in use, in bytes"),
            .init("cpu_seconds", "the processor time since the start, in seconds"),
            .init("notifications_per_second", "the notifications per second since the last message"),
            .init("waiting", "the number of messages that are queued for the broker"),
            .init("waiting_bytes", "the approximate memory that these messages use, in bytes"),
            .init("sent", "the number of messages that the broker has accepted since the start"),
            .init("received", "the number of messages from the broker since the start"),
            .init("dropped", "the number of messages that were lost, or did not fit into the queue"),
            .init("superseded", "the number of queued messages that a newer message of the same topic replaced"),
            .init("expired", "the number of queued messages that reached their expiry"),
            .init("broker_connects", "the number of connections to a broker since the start"),
            .init(
                "clock_synchronized",
                "`false`: no time service keeps the machine's clock right, and times can be wrong; `null`: not known"),
        ]
        + BrokerStatus.members.map { .init("broker.\($0.name)", $0.meaning) }
        + AdapterUse.members.map { .init("adapters[].\($0.name)", $0.meaning) }
        + [
            .init(
                "adapters[].advertisements",
                "the number of advertisements of all devices since the start, as reported by bluetoothd: it leaves out "
                    + "most of those without new content"),
            .init("adapters[].scanning_seconds", "how long the adapter has scanned since the start, in seconds"),
            .init(
                "adapters[].connecting_seconds", "how long the adapter has tried to connect since the start, in seconds"
            ),
        ]
        + SpoolStatus.members.map { .init("spool.\($0.name)", $0.meaning) }
        + FleetHealth.members.map { .init("fleet.\($0.name)", "\($0.meaning) (`share`)") }
        + AdvertiserStatus.members.map { .init("advertisers[].\($0.name)", "\($0.meaning) (`advertisers`)") }
        + DeviceHealth.members.map { .init("devices.DEVICE.\($0.name)", $0.meaning) }
}

extension GatewayTopicGroup {
    package var reference: TopicReference {
        switch self {
        case .late:
            document(
                ["DEVICE/NAME", GatewayTopic.event.name],
                """
                A reading or an event that waited on the disk while the broker was away (`keep: all`), in the order of \
                `id`; or a record in the memory of a device (`history`). A reading with `payload: value` is JSON here.
                """,
                [
                    .init("time", "the time of the value"),
                    .init("late", "`true`"),
                    .init(
                        "id", "rises and is never used twice: a message that arrives twice has the same `id`"),
                    .init(
                        "time_uncertain",
                        "`true` if the machine never knew the time between its start and its end; otherwise missing"),
                ],
                example: LatePayload(
                    Example.readingMembers, at: Example.time, isTimeUncertain: false, id: 1_795_151_340_123_000
                ).json)
        case .request:
            document(["VERB"], "A request to the gateway; see [Requests to the gateway](#requests-to-the-gateway).")
        case .response:
            document(["VERB"], "The response to a request, unless the request names a Response Topic (MQTT 5).")
        }
    }

    private func document(
        _ names: [String], _ meaning: String, _ members: [TopicReference.Member] = [], example: JSON? = nil
    ) -> TopicReference {
        TopicReference(
            names.map { "PREFIX/bridge/GATEWAY/\(name($0))" }, .notRetained, meaning, members,
            example: example?.description)
    }
}

extension AdapterUse {
    fileprivate static let members: [TopicReference.Member] = [
        .init("connections", "the number of connections in use"),
        .init("waiting", "the number of devices that wait for a connection"),
        .init("capacity", "the maximum number of connections; `null` until it is known"),
    ]
}

extension BrokerStatus {
    fileprivate static let members: [TopicReference.Member] = [
        .init(
            "refused",
            "the topics and filters that the broker does not accept, up to \(mostRefusals): `action` (`publish` or "
                + "`subscribe`), `topic`, `reason`, and `temporary` if they are sent again until the broker accepts them"
        ),
        .init(
            "held",
            "the number of messages that wait because the broker closes the connection on topics of their kind, or rejects "
                + "their topic for the moment"),
        .init(
            "rejected",
            "the number of messages since the start that the broker has rejected for the moment, such as `Quota exceeded`; "
                + "they are sent again"),
        .init(
            "restrictions",
            "the limits of the broker that change what clients receive: `type` (\(Restriction.Kind.allCases.names)) and "
                + "`effect` in words"),
        .init("connected_since", "the begin of the connection to the broker; missing without a connection"),
    ]
}

extension SpoolStatus {
    /// The documentation of the members.
    static let members: [TopicReference.Member] = [
        .init(
            "state",
            "the state of the messages on the disk: \(State.allCases.names); `keeping`: the broker is away"
        ),
        .init("waiting", "the number of messages on the disk"),
        .init("bytes", "the size of the messages on the disk"),
        .init("oldest", "the time of the oldest message; `null` if there is none"),
        .init("dropped", "the number of messages that were removed because of the size"),
        .init("expired", "the number of messages that were removed because of their age"),
        .init("damaged", "the number of messages that could not be read"),
        .init("written_bytes", "the number of bytes written to the disk since the start"),
        .init("replayed", "the number of late messages sent since the start"),
    ]
}

extension FleetHealth {
    fileprivate static let members: [TopicReference.Member] = [
        .init("decider", "the gateway that decides; `null` if none is known"),
        .init("epoch", "incremented each time another gateway begins to decide"),
        .init("members", "the gateways that the decider receives"),
        .init("shared", "the number of shared devices"),
        .init("owned", "the number of shared devices that this gateway owns: it alone publishes them"),
        .init("moves", "how often this gateway has become the owner of a device since its start"),
        .init(
            "seconds_in_doubt",
            "the time since the start in which this gateway was not allowed to publish shared devices, in seconds"),
        .init("ignored", "the number of messages of other gateways that were ignored because they are not valid"),
    ]
}

extension AdvertiserStatus {
    fileprivate static let members: [TopicReference.Member] = [
        .init(
            "state",
            "`sending` with the `adapter`, or with a `reason` `waiting` (no value has arrived, or no adapter is on) or "
                + "`failed`")
    ]
}

extension DeviceHealth {
    fileprivate static let members: [TopicReference.Member] = [
        .init("last_seen", "the time of the last connection, value or advertisement; `null` if there was none"),
        .init("connects", "the number of connections"),
        .init(
            "failures",
            "the number of failures by kind, each if there was one: "
                + Failure.allCases.map {
                    "`\($0.rawValue)`" + ($0 == .bondLost ? " (the device has removed the bond)" : "")
                }
                .joined(separator: ", ")),
        .init("notifications", "the number of notifications"),
        .init("decode_failures", "the number of values that do not fit their format"),
        .init(
            "advertisements",
            "if advertisements of the device are read: how many were `received`, `decoded` to readings, and `refused` "
                + "(without a key, damaged, or of an unknown format)"),
        .init("rssi", "the signal strength of the last advertisement in dBm, if it is known"),
        .init("battery", "the charge of the battery in percent, if it is known"),
    ]
}
