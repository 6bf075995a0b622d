import Configuration
import JSON
import MQTT
import Spool
import System

/// A message that the broker receives later than others: on `PREFIX/bridge/GATEWAY/late/…`, with its own time.
struct LateMessage {
    /// The largest payload that is parsed, in bytes: a larger one is damaged.
    private static let limit = 1 << 20

    let record: StoredRecord

    /// The JSON object of the message; nil if the stored payload is damaged.
    var json: JSON? {
        let text = String(decoding: record.record.payload, as: UTF8.self)
        let stored = try? JSON(parsing: text, limit: Self.limit, depth: 64)
        var object: JSON.Object
        if record.record.isBare {
            object = ["value": stored ?? .string(text), "time": .string("\(record.record.time)")]
        } else {
            guard let members = stored?.object else { return nil }
            object = members
        }
        if let time = record.correctedTime { object["time"] = .string("\(time)") }
        if record.isTimeUncertain { object["time_uncertain"] = .bool(true) }
        object["late"] = .bool(true)
        object["id"] = .number(JSON.Number(record.id))
        return .object(object)
    }

    /// Returns the message; nil if the stored payload or the topic is damaged.
    func message(_ messages: MessageBuilder) -> Message? {
        guard let json, let topic = try? messages.topics.bridge("late/\(record.record.topic)") else { return nil }
        var message = messages.message(json, on: topic, isRetained: false)
        // At least once, whatever the quality of service of the reading.
        message.qualityOfService = .atLeastOnce
        message.properties.userProperties += [
            Message.UserProperty("late", "1"), Message.UserProperty("id", "\(record.id)"),
        ]
        return message
    }
}

extension Record {
    /// Creates the record of a message that waits.
    ///
    /// - Parameters:
    ///   - kept: the message.
    ///   - publisher: the publisher of the message.
    ///   - clock: the present clock.
    init(_ kept: KeptMessage, of publisher: Publisher, _ clock: ClockReading) {
        let payload = kept.message.payload
        let isBare = kept.message.properties.contentType == "text/plain"
        let age = (clock.moment - kept.published).nanoseconds / 1_000_000
        let estimate = Timestamp(milliseconds: clock.time.milliseconds - age)
        self.init(
            broker: publisher.spoolName, topic: publisher.topics.lateName(of: kept.message.topic), payload: payload,
            isBare: isBare, time: isBare ? estimate : Self.time(in: payload) ?? estimate, moment: kept.published)
    }

    /// Returns the time in a JSON payload; nil if it has none.
    private static func time(in payload: [UInt8]) -> Timestamp? {
        let json = try? JSON(parsing: String(decoding: payload, as: UTF8.self), limit: 1 << 20, depth: 64)
        return json?["time"]?.string.flatMap { Timestamp($0) }
    }
}

extension Publisher {
    /// The name of the broker and of the prefix in the spool: messages for another broker are not sent to this one.
    var spoolName: String { "\(broker.url) \(topics.prefix)" }
}
