import Contract
import JSON
package import System

/// The state of the page itself, for the summary.
package struct PageState: Sendable {
    /// Whether the broker has accepted the connection, and since when this has been the same.
    package let isConnected: Bool
    package let since: Timestamp
    /// `full` or `read`.
    package let access: String
    /// Whether a browser must log in.
    package let requiresPassword: Bool
    /// How long values are kept; zero: there is no history.
    package let history: Duration

    package init(isConnected: Bool, since: Timestamp, access: String, requiresPassword: Bool, history: Duration) {
        self.isConnected = isConnected
        self.since = since
        self.access = access
        self.requiresPassword = requiresPassword
        self.history = history
    }
}

extension World {
    /// Returns the answer to `GET api/summary`.
    ///
    /// - Parameters:
    ///   - page: The state of the page.
    ///   - id: The number of the last change.
    ///   - time: The present time.
    /// - Returns: JSON text.
    package func summaryReply(_ page: PageState, id: Int, at time: Timestamp) -> [UInt8] {
        var reply = ReplyBuilder(capacity: 512 * devices.count + 4096)
        reply.object { reply in
            reply.add(.number(id), as: "id")
            reply.add(.text(time), as: "time")
            reply.add(["connected": .bool(page.isConnected), "since": .text(page.since)], as: "broker")
            reply.add(.string(page.access), as: "access")
            reply.add(["required": .bool(page.requiresPassword)], as: "session")
            reply.add(.number(page.history.components.seconds), as: "history")
            reply.array(as: "gateways") { reply in
                for name in gatewayNames { addGateway(name, to: &reply) }
            }
            reply.array(as: "events") { reply in
                for event in events { event.add(to: &reply) }
            }
            reply.array(as: "devices") { reply in
                for summary in summaries {
                    let connection = devices[summary.name]?.topics[DeviceTopic.connection.name]?.text
                    summary.add(to: &reply, connection: connection)
                }
            }
        }
        return reply.bytes
    }

    private func addGateway(_ name: String, to reply: inout ReplyBuilder) {
        let record = gateways[name]
        reply.object { reply in
            reply.add(.string(name), as: "name")
            reply.add(record?.state.map { .string($0.rawValue) }, as: "state")
            for topic in [GatewayTopic.info, .health, .adapters] {
                reply.add(text: record?.topics[topic]?.text, as: topic.name)
            }
        }
    }

    /// Returns the answer to `GET api/device`; nil if there is no such device.
    package func deviceReply(_ name: String) -> [UInt8]? {
        guard let device = devices[name] else { return nil }
        let gateway = gateway(of: name)
        var reply = ReplyBuilder(capacity: 8192)
        reply.object { reply in
            reply.add(.string(name), as: "name")
            reply.add(gateway.map { .string($0) }, as: "gateway")
            reply.object(as: "topics") { reply in
                for (topic, stored) in device.topics.sorted(by: { $0.key < $1.key }) {
                    reply.add(text: stored.text, as: topic)
                }
            }
            reply.array(as: "events") { reply in
                for event in device.events { reply.add(text: event) }
            }
            reply.add(text: gateway.flatMap { gateways[$0]?.entries?[name]?.text }, as: "entry")
        }
        return reply.bytes
    }
}

extension World.RecordedEvent {
    fileprivate func add(to reply: inout ReplyBuilder) {
        reply.object { reply in
            reply.add(.string(gateway), as: "gateway")
            reply.add(text: text, as: "event")
        }
    }
}

extension DeviceSummary {
    fileprivate func add(to reply: inout ReplyBuilder, connection: [UInt8]?) {
        reply.object { reply in
            reply.add(.string(name), as: "name")
            reply.add(gateway.map { .string($0) }, as: "gateway")
            if gateways.count > 1 { reply.add(.array(gateways.map { .string($0) }), as: "gateways") }
            reply.add(address.map { .string($0) }, as: "address")
            reply.add(profile.map { .string($0) }, as: "profile")
            reply.add(availabilityJSON, as: "availability")
            reply.add(text: connection, as: "connection")
            reply.add(rssi.map { .number($0) }, as: "rssi")
            reply.add(battery.map { .number($0) }, as: "battery")
            reply.add(lastSeen.map { .text($0) }, as: "last_seen")
            reply.add(added.map { .text($0) }, as: "added")
            reply.array(as: "readings") { reply in
                for (name, reading) in newestReadings {
                    let unit = reading.unit.map { JSON.string($0) } ?? .null
                    reply.add(
                        ["name": .string(name), "value": reading.value, "unit": unit, "time": .text(reading.time)])
                }
            }
            Self.add(switches, as: "switches", to: &reply)
            Self.add(units, as: "units", to: &reply)
        }
    }

    /// Adds an object of texts, unless it is empty.
    private static func add(_ texts: [String: String], as name: String, to reply: inout ReplyBuilder) {
        guard !texts.isEmpty else { return }
        let pairs = texts.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) }
        reply.add(.object(JSON.Object(pairs)), as: name)
    }

    private var availabilityJSON: JSON? {
        guard let availability else { return nil }
        return [
            "state": .string(availability.state.rawValue),
            "reason": availability.reason.map { .string($0) } ?? .null, "time": since.map { .text($0) } ?? .null,
        ]
    }
}
