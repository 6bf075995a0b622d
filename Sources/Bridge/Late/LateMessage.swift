import Configuration
import Contract
import JSON
import MQTT
import Spool
import System

/// A message that the broker receives later than others: on `PREFIX/bridge/GATEWAY/late/…`, with its own time.
struct LateMessage {
    /// The largest payload that is parsed, in bytes: a larger one is damaged.
    private static let limit = 1 << 20

    let record: StoredRecord

    /// The payload of the message; nil if the stored payload is damaged.
    var payload: LatePayload? {
        let text = String(decoding: record.record.payload, as: UTF8.self)
        let stored = try? JSON(parsing: text, limit: Self.limit, depth: 64)
        let members: JSON.Object
        if record.record.isBare {
            members = ["value": stored ?? .string(text)]
        } else {
            guard let object = stored?.object else { return nil }
            members = object
        }
        return LatePayload(
            members, at: record.correctedTime ?? record.record.time, isTimeUncertain: record.isTimeUncertain,
            id: Int64(record.id))
    }

    /// Returns the message; nil if the stored payload or the topic is damaged.
    func message(_ messages: MessageBuilder) -> Message? {
        guard let payload, let topic = try? messages.topics.gateway(.late, record.record.topic) else { return nil }
        return messages.late(payload, on: topic)
    }
}

extension SpoolRecord {
    /// Creates the record of a message that waits.
    ///
    /// The payload of the record has no time: the time is a part of the record.
    ///
    /// - Parameters:
    ///   - kept: the message.
    ///   - publisher: the publisher of the message.
    ///   - clock: the present clock.
    init(_ kept: KeptMessage, of publisher: Publisher, _ clock: ClockReading) {
        self.init(kept.message, of: publisher, clock, stamp: nil) { time in
            // A reading can be published long after its arrival, e.g. again by `at_least_every`.
            time.map { min(kept.published, clock.moment(of: $0)) } ?? kept.published
        }
    }

    /// Creates the record of a message of a shared device whose gateway is in doubt.
    init(_ held: HeldMessage, of publisher: Publisher, _ clock: ClockReading) {
        self.init(held.message, of: publisher, clock, stamp: held.stamp.map { "\($0.json)" }) { _ in held.arrival }
    }

    /// `arrival` returns when the content of the message arrived; its parameter is the time in the payload.
    private init(
        _ message: Message, of publisher: Publisher, _ clock: ClockReading, stamp: String?,
        arrival: (Timestamp?) -> Instant
    ) {
        let isBare = message.properties.contentType == "text/plain"
        let timed = isBare ? nil : Self.separateTime(in: message.payload)
        let moment = arrival(timed?.time)
        let age = (clock.moment - moment).nanoseconds / 1_000_000
        self.init(
            broker: publisher.spoolName, topic: publisher.topics.lateName(of: message.topic),
            payload: timed?.rest ?? message.payload, isBare: isBare,
            time: timed?.time ?? Timestamp(milliseconds: clock.time.milliseconds - age), moment: moment,
            stamp: stamp)
    }

    /// Returns the time in a JSON payload, and the payload without it; nil if it has no time.
    private static func separateTime(in payload: [UInt8]) -> (time: Timestamp, rest: [UInt8])? {
        guard var object = (try? JSON(parsing: payload, limit: 1 << 20, depth: 64))?.object,
            let time = object["time"]?.string.flatMap({ Timestamp($0) })
        else { return nil }
        object["time"] = nil
        return (time, Array("\(JSON.object(object))".utf8))
    }
}

extension Publisher {
    /// The name of the broker and of the prefix in the spool: messages for another broker are not sent to this one.
    var spoolName: String { "\(broker.name) \(topics.prefix)" }
}
