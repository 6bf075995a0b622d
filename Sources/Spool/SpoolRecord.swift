package import System

/// A message that waits for the broker on the disk.
package struct SpoolRecord: Hashable, Sendable {
    /// The broker that the message is for, with the prefix of its topics.
    package let broker: String
    /// The part of the topic after `…/late/`, such as `greenhouse/temperature`.
    package let topic: String
    package let payload: [UInt8]
    /// Whether the payload is a bare value, and not a JSON object.
    package let isBare: Bool
    /// The time of the value, by the clock of that moment.
    package let time: Timestamp
    /// The time of the value since the start of the machine, which is right even if the clock was wrong.
    package let moment: Instant
    /// The assignment of the device under which the value arrived, as text; nil: the message is sent in any case.
    package let stamp: String?

    package init(
        broker: String, topic: String, payload: [UInt8], isBare: Bool, time: Timestamp, moment: Instant,
        stamp: String? = nil
    ) {
        self.broker = broker
        self.topic = topic
        self.payload = payload
        self.isBare = isBare
        self.time = time
        self.moment = moment
        self.stamp = stamp
    }

    /// Returns the record with another time since the start of the machine.
    func at(_ moment: Instant) -> SpoolRecord {
        SpoolRecord(
            broker: broker, topic: topic, payload: payload, isBare: isBare, time: time, moment: moment, stamp: stamp)
    }

    /// The approximate size of a record without its topic and payload on the disk, in bytes.
    static let overhead = 32

    /// The approximate size on the disk, in bytes.
    package var size: Int { payload.count + topic.utf8.count + (stamp?.utf8.count ?? 0) + Self.overhead }

    /// The name of the device; for an event, the part of its topic before the last level.
    package var device: String { DeviceShares.device(of: topic) }
}

/// A record that was read from the disk.
package struct StoredRecord: Sendable {
    /// The number of the record: it rises, and is never used again.
    package let id: Int64
    package let record: SpoolRecord
    /// The time by the clock as it was set later, if it differs from the record's time by more than a second.
    package let correctedTime: Timestamp?
    /// Whether the machine never knew the time between its start and its end.
    package let isTimeUncertain: Bool
    /// Whether the machine has not been started again since: `record.moment` is a moment of the present clock.
    package let isOfPresentStart: Bool

    package init(
        id: Int64, record: SpoolRecord, correctedTime: Timestamp?, isTimeUncertain: Bool, isOfPresentStart: Bool = false
    ) {
        self.id = id
        self.record = record
        self.correctedTime = correctedTime
        self.isTimeUncertain = isTimeUncertain
        self.isOfPresentStart = isOfPresentStart
    }
}
