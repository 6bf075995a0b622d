package import JSON
package import System

/// The payload of `PREFIX/DEVICE/NAME` as another program reads it, with `payload: json`.
///
/// The gateway writes readings with `ReceivedReading`, which does not build JSON values.
package struct ReadingPayload: Equatable, Sendable {
    /// The members except `time`: `value`, `unit` and `number`, or one member for each field.
    package let members: JSON.Object
    /// The time when the gateway received the value.
    package let time: Timestamp

    package init(_ members: JSON.Object, at time: Timestamp) {
        self.members = members
        self.time = time
    }

    /// Returns the fields of a reading with several fields: its members without those that mark it as changed or late.
    ///
    /// - Parameter payload: A payload on the topic of a reading; its time may be missing.
    /// - Returns: The fields by name.
    package static func fields(of payload: JSON.Object) -> [(name: String, value: JSON)] {
        let marks = ReadingMarks.names.union(payload["late"]?.bool == true ? LatePayload.marks : ["time"])
        return payload.compactMap { marks.contains($0.name) ? nil : ($0.name, $0.value) }
    }

    /// The value of a reading with one field; nil for a reading with several fields.
    package var value: JSON? { members["value"] }
    /// The unit of `value`; nil if it has none.
    package var unit: String? { members["unit"]?.string }

    package var json: JSON { .object(members.adding(["time": .text(time)])) }

    /// - Returns: nil if the payload is not of this kind.
    package init?(_ json: JSON) {
        guard var members = json.object, let time = json.time("time") else { return nil }
        members["time"] = nil
        self.init(members, at: time)
    }
}
