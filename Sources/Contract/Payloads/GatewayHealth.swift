package import JSON
package import System

/// The payload of `PREFIX/bridge/GATEWAY/health`.
package struct GatewayHealth: Equatable, Sendable {
    /// The counters of the MQTT client since the start of the gateway.
    package struct Messages: Equatable, Sendable {
        /// The number of messages that are queued for the broker.
        package var waiting = 0
        /// The approximate memory that these messages use, in bytes; nil: an earlier version of the gateway.
        package var waitingBytes: Int?
        package var sent = 0
        package var received = 0
        /// The numbers of messages that were never sent, by cause.
        package var dropped = 0
        package var superseded = 0
        package var expired = 0

        package init() {}
    }

    /// The resident memory, in bytes.
    package var memory: Int
    /// The processor time since the start, in seconds; nil if it is not known.
    package var processorSeconds: Double?
    /// The notifications per second since the last message.
    package var notificationsPerSecond: JSON.Number
    package var messages: Messages
    /// The number of connections to a broker.
    package var brokerConnects: Int
    package var broker: BrokerStatus
    /// Whether a time service keeps the machine's clock right; nil: not known.
    package var isClockSynchronized: Bool?
    package var adapters: [AdapterUse]
    package var spool: SpoolStatus
    /// nil: the gateway shares no devices.
    package var fleet: FleetHealth?
    /// The advertisements that the gateway sends, sorted by name; empty: there are none in the configuration.
    package var advertisers: [AdvertiserStatus]
    /// The devices by name.
    package var devices: [String: DeviceHealth]
    package var time: Timestamp

    package init(
        memory: Int, processorSeconds: Double?, notificationsPerSecond: JSON.Number, messages: Messages,
        brokerConnects: Int, broker: BrokerStatus, isClockSynchronized: Bool?, adapters: [AdapterUse],
        spool: SpoolStatus, fleet: FleetHealth? = nil, advertisers: [AdvertiserStatus] = [],
        devices: [String: DeviceHealth], time: Timestamp
    ) {
        self.memory = memory
        self.processorSeconds = processorSeconds
        self.notificationsPerSecond = notificationsPerSecond
        self.messages = messages
        self.brokerConnects = brokerConnects
        self.broker = broker
        self.isClockSynchronized = isClockSynchronized
        self.adapters = adapters
        self.spool = spool
        self.fleet = fleet
        self.advertisers = advertisers
        self.devices = devices
        self.time = time
    }

    package var json: JSON {
        let devices = devices.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }
        var members: JSON.Object = [
            "memory": .number(memory),
            "cpu_seconds": processorSeconds.flatMap { JSON.Number($0) }.map { .number($0) } ?? .null,
            "notifications_per_second": .number(notificationsPerSecond),
            "waiting": .number(messages.waiting), "waiting_bytes": messages.waitingBytes.map { .number($0) } ?? .null,
            "sent": .number(messages.sent), "received": .number(messages.received),
            "dropped": .number(messages.dropped),
            "superseded": .number(messages.superseded), "expired": .number(messages.expired),
            "broker_connects": .number(brokerConnects), "broker": broker.json,
            "clock_synchronized": isClockSynchronized.map { .bool($0) } ?? .null,
            "adapters": .array(adapters.map(\.json)), "spool": spool.json,
        ]
        members.add("fleet", fleet?.json)
        if !advertisers.isEmpty { members["advertisers"] = .array(advertisers.map(\.json)) }
        members["devices"] = .object(JSON.Object(devices))
        members["time"] = .text(time)
        return .object(members)
    }

    /// Returns when a device was last seen, from a payload that may be of another version of the gateway.
    package static func lastSeen(of device: String, in payload: JSON) -> Timestamp? {
        payload["devices"]?[device]?.time("last_seen")
    }

    /// - Returns: nil if the payload is not of this kind.
    package init?(_ json: JSON) {
        guard let memory = json["memory"]?.int, let rate = json["notifications_per_second"]?.number,
            let messages = Messages(json), let brokerConnects = json["broker_connects"]?.int,
            let adapters = json.list("adapters", { AdapterUse($0) }),
            let spool = json["spool"].flatMap({ SpoolStatus($0) }), let members = json["devices"]?.object,
            let time = json.time("time")
        else { return nil }
        var devices: [String: DeviceHealth] = [:]
        for member in members {
            guard let device = DeviceHealth(member.value) else { return nil }
            devices[member.name] = device
        }
        self.init(
            memory: memory, processorSeconds: json["cpu_seconds"]?.double, notificationsPerSecond: rate,
            messages: messages, brokerConnects: brokerConnects,
            broker: json["broker"].flatMap { BrokerStatus($0) } ?? BrokerStatus(),
            isClockSynchronized: json["clock_synchronized"]?.bool, adapters: adapters, spool: spool,
            fleet: json["fleet"].flatMap { FleetHealth($0) },
            advertisers: json.list("advertisers", { AdvertiserStatus($0) }) ?? [], devices: devices, time: time)
    }
}

extension GatewayHealth.Messages {
    fileprivate init?(_ json: JSON) {
        guard let waiting = json["waiting"]?.int, let sent = json["sent"]?.int, let received = json["received"]?.int,
            let dropped = json["dropped"]?.int, let superseded = json["superseded"]?.int,
            let expired = json["expired"]?.int
        else { return nil }
        self.waiting = waiting
        waitingBytes = json["waiting_bytes"]?.int
        self.sent = sent
        self.received = received
        self.dropped = dropped
        self.superseded = superseded
        self.expired = expired
    }
}
