import Contract
import JSON
import System

/// The newest messages of all gateways and devices below a prefix, as far as the page shows them.
///
/// | type | which question it answers |
/// |---|---|
/// | `World` | Which gateways and devices are there, and what did they send last? |
/// | `WorldTopic` | What does a topic mean? |
/// | `GatewayRecord`, `DeviceRecord` | What did one gateway or device send last? |
/// | `ReceivedPayload`, `StoredPayload` | Which payload has a message? Which payload of a topic is the newest? |
/// | `DashboardReading`, `ReadingFields` | Which values does a payload have? |
/// | `DeviceSummary` | What does the row of a device show? |
/// | `Change`, `Sample`, `Rename`, `Effects` | What follows from a message? |
/// | `ChangeLog` | Which messages has a page not received yet? |
/// | `PresentTime` | What is the present time on both clocks? |
///
/// The memory is bounded, whatever other programs publish below the prefix.
package struct World {
    /// The greatest numbers of topics and of bytes in their payloads.
    package struct Limits: Sendable {
        package var topics = 16_000
        package var bytes = 32 << 20
        package var gateways = 64
        /// Topics whose device is not known yet.
        package var unassigned = 2000

        package init() {}
    }

    /// An event as JSON text, with the name of its gateway.
    struct RecordedEvent {
        let gateway: String
        let text: [UInt8]
    }

    private static let mostEvents = 200
    private static let longestEvent = 4096

    private let limits: Limits
    private(set) var gateways: [String: GatewayRecord] = [:]
    private(set) var devices: [String: DeviceRecord] = [:]
    /// The newest events of all gateways, oldest first.
    private(set) var events: [RecordedEvent] = []
    /// The payloads on topics without a known device, with their expiry.
    private var unassigned: [String: (payload: [UInt8], expiry: Instant?)] = [:]
    private var topicCount = 0
    private var byteCount = 0
    /// The number of the present connection to the broker.
    private var connection = 0

    package init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    // MARK: Receiving

    /// Handles a message.
    ///
    /// - Parameters:
    ///   - topic: The topic without the prefix.
    ///   - payload: The payload; empty: the topic has no payload any more.
    ///   - isRetained: Whether the broker had stored the message before the subscription.
    ///   - expiry: How long the message is valid; nil: no limit.
    ///   - now: The present time.
    /// - Returns: The consequences.
    package mutating func receive(
        _ topic: String, _ payload: [UInt8], isRetained: Bool, expiry: Duration? = nil, at now: PresentTime
    ) -> Effects {
        guard topic.utf8.count <= 1024, let meaning = WorldTopic(topic) else { return Effects() }
        switch meaning {
        case .gateway(let gateway, let kind):
            return kind.isRetained
                ? receiveState(of: gateway, kind, topic, payload, at: now)
                : receiveEvent(of: gateway, kind, topic, payload)
        case .late(_, let name): return receiveLate(name, payload, at: now)
        case .lateEvent(let gateway): return receiveEvent(of: gateway, .event, topic, payload)
        case .device(let name):
            return receive(ofDevice: name, payload, isRetained: isRetained, expiry.map { now.instant + $0 }, at: now)
        }
    }

    private mutating func receiveState(
        of gateway: String, _ kind: GatewayTopic, _ topic: String, _ payload: [UInt8], at now: PresentTime
    ) -> Effects {
        var effects = Effects()
        let old = gateways[gateway]?.topics[kind]?.text
        let received = payload.isEmpty ? nil : ReceivedPayload(payload, limit: StoredPayload.longestOfGateway)
        if let old, old == received?.text {
            gateways[gateway]?.confirm(kind, connection: connection)
            return effects
        }
        guard old != nil || received != nil else { return effects }
        guard gateways[gateway] != nil || gateways.count < limits.gateways, admit(old, received?.text) else {
            effects.isFull = true
            return effects
        }
        let known = gateways[gateway]?.entries
        gateways[gateway, default: GatewayRecord()].store(received, kind, connection: connection)
        if kind == .devices { listChanged(of: gateway, after: known, at: now, &effects) }
        if gateways[gateway]?.topics.isEmpty == true { gateways[gateway] = nil }
        effects.changes.append(Change(topic: topic, device: nil, audience: .everyone, payload: nil))
        return effects
    }

    private mutating func receiveEvent(
        of gateway: String, _ kind: GatewayTopic, _ topic: String, _ payload: [UInt8]
    ) -> Effects {
        let audience: Change.Audience
        switch kind {
        case .event: audience = .everyone
        case .pairing: audience = .pairing(gateway: gateway)
        // The lines of the log belong to the program that asked for them.
        // Reports, decisions and changes are messages between gateways. All others are states.
        case .log, .report, .decision, .changes, .state, .info, .health, .adapters, .devices: return Effects()
        }
        guard payload.count <= StoredPayload.longest, let json = try? JSON(parsing: payload),
            let event = ReceivedEvent(json)
        else { return Effects() }
        let change = Change(topic: topic, device: event.device, audience: audience, payload: payload)
        let effects = Effects(changes: [change])
        guard kind == .event else { return effects }
        if let device = event.device { devices[device]?.add(event: payload) }
        if payload.count <= Self.longestEvent {
            if events.count >= Self.mostEvents { events.removeFirst() }
            events.append(RecordedEvent(gateway: gateway, text: payload))
        }
        if let (adapter, step) = event.repair {
            gateways[gateway]?.count(GatewayRecord.Repair(adapter: adapter.cut(to: 64), step: step.cut(to: 64)))
        }
        return effects
    }

    private mutating func receiveLate(_ name: String, _ payload: [UInt8], at now: PresentTime) -> Effects {
        guard payload.count <= StoredPayload.longest, let device = owner(of: name), let record = devices[device] else {
            return Effects()
        }
        let received = ReceivedPayload(payload, limit: StoredPayload.longest)
        let fields = record.lateFields(received, String(name.dropFirst(device.count + 1)))
        guard let time = fields.time else { return Effects() }
        return Effects(
            samples: fields.fields.map { field in
                let reading = DashboardReading(content: field.content, unit: field.unit, time: time, expiry: nil)
                return Sample(device: device, name: field.name, reading: reading, isRetained: false)
            })
    }

    private mutating func receive(
        ofDevice topic: String, _ payload: [UInt8], isRetained: Bool, _ expiry: Instant?, at now: PresentTime
    ) -> Effects {
        var effects = Effects()
        let received = payload.isEmpty ? nil : ReceivedPayload(payload, limit: StoredPayload.longest)
        if let name = Self.nameInTopic(topic, received?.json), devices[name] == nil {
            devices[name] = DeviceRecord()
            assign([name], at: now, &effects)
        }
        guard let device = owner(of: topic) else {
            storeUnassigned(topic, payload, expiry, &effects)
            return effects
        }
        let rest = String(topic.dropFirst(device.count + 1))
        store(received, device, rest, isRetained: isRetained, expiry, at: now, &effects)
        return effects
    }

    private mutating func store(
        _ received: ReceivedPayload?, _ device: String, _ rest: String, isRetained: Bool, _ expiry: Instant?,
        at now: PresentTime, _ effects: inout Effects
    ) {
        guard let record = devices[device] else { return }
        let old = record.topics[rest]?.text
        if let old, old == received?.text, isRetained {
            devices[device]?.confirm(rest, connection: connection)
            return
        }
        guard old != nil || received != nil else { return }
        guard record.hasRoom(for: rest), admit(old, received?.text) else {
            effects.isFull = true
            removeIfUnused(device)
            return
        }
        let gateway = gateway(of: device)
        let fields =
            devices[device]?.store(received, rest, connection: connection, expiry: expiry, at: now.time) ?? []
        effects.samples += fields.map {
            Sample(device: device, name: $0.name, reading: $0.reading, isRetained: isRetained)
        }
        let audience = rest == DeviceTopic.info.name ? infoAudience(of: device, after: record, gateway) : .everyone
        effects.changes.append(
            Change(topic: "\(device)/\(rest)", device: device, audience: audience, payload: nil))
        removeIfUnused(device)
    }

    /// Returns the pages that need a new payload of the topic `info`: the row of a device shows only its gateway, its
    /// switches and its units.
    private func infoAudience(
        of device: String, after old: DeviceRecord, _ oldGateway: String?
    ) -> Change.Audience {
        let hasMoved = oldGateway != gateway(of: device)
        let record = devices[device]
        let isSame = !hasMoved && old.switches == record?.switches && old.units == record?.units
        return isSame ? .devicePage : .everyone
    }

    // MARK: Devices

    /// Returns the name of the device of a topic that only devices have; nil for any other topic.
    private static func nameInTopic(_ topic: String, _ payload: JSON?) -> String? {
        guard let payload, let slash = topic.lastIndex(of: "/") else { return nil }
        let name = String(topic[..<slash])
        switch DeviceTopic(rawValue: String(topic[slash...].dropFirst())) {
        case .availability: return Availability(payload) == nil ? nil : name
        case .connection: return ConnectionStatus(payload) == nil ? nil : name
        case .info: return DescribedDevice(payload)?.name == name ? name : nil
        case nil: return nil
        }
    }

    /// Returns the longest name of a known device with which a topic begins; nil if there is none.
    private func owner(of topic: String) -> String? {
        var name = topic[...]
        while let slash = name.lastIndex(of: "/") {
            name = name[..<slash]
            if devices[String(name)] != nil { return String(name) }
        }
        return nil
    }

    private mutating func storeUnassigned(
        _ topic: String, _ payload: [UInt8], _ expiry: Instant?, _ effects: inout Effects
    ) {
        let old = unassigned[topic]?.payload
        let new = payload.isEmpty ? nil : payload
        guard old != nil || new != nil else { return }
        let hasRoom = old != nil || unassigned.count < limits.unassigned
        guard hasRoom, payload.count <= StoredPayload.longest, admit(old, new) else {
            effects.isFull = true
            return
        }
        unassigned[topic] = new.map { ($0, expiry) }
    }

    /// Moves payloads to new devices: those without a device, and those of a device with a shorter name.
    private mutating func assign(_ names: Set<String>, at now: PresentTime, _ effects: inout Effects) {
        var found: [(topic: String, payload: [UInt8], expiry: Instant?)] = []
        // With one name, a comparison is faster than to look for the owner of each topic.
        let only = names.count == 1 ? names.first.map { "\($0)/" } : nil
        for (topic, entry) in unassigned where only.map({ topic.hasPrefix($0) }) ?? (owner(of: topic) != nil) {
            found.append((topic, entry.payload, entry.expiry))
        }
        for name in names {
            guard let shorter = owner(of: name), let record = devices[shorter] else { continue }
            let start = "\(name.dropFirst(shorter.count + 1))/"
            for (rest, stored) in record.topics where rest.hasPrefix(start) {
                found.append(("\(shorter)/\(rest)", stored.text, nil))
                devices[shorter]?.store(nil, rest, connection: connection, expiry: nil, at: now.time)
                release(stored.text)
            }
        }
        for entry in found {
            if let payload = unassigned.removeValue(forKey: entry.topic)?.payload { release(payload) }
            guard let device = owner(of: entry.topic) else { continue }
            let received = ReceivedPayload(entry.payload, limit: StoredPayload.longest)
            let rest = String(entry.topic.dropFirst(device.count + 1))
            store(received, device, rest, isRetained: true, entry.expiry, at: now, &effects)
        }
    }

    private mutating func listChanged(
        of gateway: String, after known: [String: ListedDevice]?, at now: PresentTime, _ effects: inout Effects
    ) {
        let entries = gateways[gateway]?.entries ?? [:]
        var new: Set<String> = []
        for name in entries.keys where devices[name] == nil {
            guard devices.count < limits.topics else {
                effects.isFull = true
                break
            }
            devices[name] = DeviceRecord()
            new.insert(name)
        }
        if let known {
            effects.renames = gateways[gateway]?.renames(since: known, at: now.instant) ?? []
            for name in entries.keys where known[name] == nil { devices[name]?.appeared(at: now.time) }
            for name in known.keys where entries[name] == nil { removeIfUnused(name) }
        }
        if !new.isEmpty { assign(new, at: now, &effects) }
    }

    private mutating func removeIfUnused(_ device: String) {
        guard devices[device]?.topics.isEmpty == true, !isListed(device) else { return }
        devices[device] = nil
    }

    private func isListed(_ device: String) -> Bool {
        gateways.values.contains { $0.entries?[device] != nil }
    }

    // MARK: Connections to the broker

    /// Begins a connection to the broker: all retained messages arrive again.
    package mutating func beginConnection() {
        connection += 1
    }

    /// Removes the states that the broker no longer retains; called when all retained messages have arrived.
    package mutating func endRetainedMessages(at now: PresentTime) -> Effects {
        var effects = Effects()
        for (name, record) in gateways {
            for (kind, stored) in record.topics where stored.connection != connection {
                let topic = Topics.name(kind.name, of: name)
                let more = receiveState(of: name, kind, topic, [], at: now)
                effects.changes += more.changes
            }
        }
        for (name, record) in devices {
            for (rest, stored) in record.topics where stored.connection != connection {
                guard DeviceTopic(rawValue: rest) != nil else { continue }
                store(nil, name, rest, isRetained: true, nil, at: now, &effects)
            }
        }
        return effects
    }

    // MARK: Limits

    /// Counts a payload in the place of another one; returns whether there is room.
    private mutating func admit(_ old: [UInt8]?, _ new: [UInt8]?) -> Bool {
        let topics = topicCount + (old == nil ? 1 : 0) - (new == nil ? 1 : 0)
        let bytes = byteCount - (old?.count ?? 0) + (new?.count ?? 0)
        guard new == nil || topics <= limits.topics && bytes <= limits.bytes else { return false }
        topicCount = topics
        byteCount = bytes
        return true
    }

    private mutating func release(_ payload: [UInt8]) {
        topicCount -= 1
        byteCount -= payload.count
    }

    // MARK: Looking up

    /// The names of the gateways, sorted.
    package var gatewayNames: [String] { gateways.keys.sorted() }

    /// The names of the devices, sorted.
    package var deviceNames: [String] { devices.keys.sorted() }

    /// Whether there is a device of this name.
    package func hasDevice(_ name: String) -> Bool { devices[name] != nil }

    /// Returns the newest value of a reading; nil if there is none.
    package func reading(_ name: String, of device: String) -> DashboardReading? { devices[device]?.readings[name] }

    /// Returns the gateway that manages a device: the one in its topic `info`, else the first one whose list has it.
    package func gateway(of device: String) -> String? {
        let listing = gateways(listing: device)
        guard let named = devices[device]?.gateway, listing.contains(named) || listing.isEmpty else {
            return listing.first
        }
        return named
    }

    /// Returns the names of the gateways whose lists have a device, sorted: several gateways can share a device.
    func gateways(listing device: String) -> [String] {
        gateways.keys.filter { gateways[$0]?.entries?[device] != nil }.sorted()
    }

    /// Returns the newest payload of a topic as JSON text; nil if there is none.
    package func payload(of topic: String, device: String?) -> [UInt8]? {
        if let device { return devices[device]?.topics[String(topic.dropFirst(device.count + 1))]?.text }
        guard case .gateway(let name, let kind)? = WorldTopic(topic) else { return nil }
        return gateways[name]?.topics[kind]?.text
    }

    /// Whether a gateway runs without Bluetooth.
    package var isBluetoothOff: Bool {
        gateways.values.contains { $0.state == .online && $0.info.map { $0.bluetooth != .poweredOn } ?? false }
    }
}
