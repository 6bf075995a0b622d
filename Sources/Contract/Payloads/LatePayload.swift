import Codec
package import JSON
package import System

/// The payload of `PREFIX/bridge/GATEWAY/late/…`: a reading or an event that waited while the broker was away.
package struct LatePayload: Equatable, Sendable {
    /// The members of the reading or the event, without its time.
    package let members: JSON.Object
    /// The time of the value.
    package let time: Timestamp
    /// Whether the machine never had the right time between its start and its end.
    package let isTimeUncertain: Bool
    /// The number of the message, which rises and is never used twice.
    package let id: Int64

    package init(_ members: JSON.Object, at time: Timestamp, isTimeUncertain: Bool, id: Int64) {
        self.members = members
        self.time = time
        self.isTimeUncertain = isTimeUncertain
        self.id = id
    }

    /// Creates the payload of a reading.
    package init(_ received: ReceivedReading, id: Int64) {
        var members = JSON(Value.record(received.record)).object ?? [:]
        members["time"] = nil
        self.init(members, at: received.time, isTimeUncertain: false, id: id)
    }

    /// The names of the members that are added to those of the reading or the event.
    static let marks: Set<String> = ["time", "time_uncertain", "late", "id"]

    package var json: JSON {
        var object = members
        object["time"] = .text(time)
        if isTimeUncertain { object["time_uncertain"] = true }
        object["late"] = true
        object["id"] = .number(id)
        return .object(object)
    }

    /// - Returns: nil if the payload is not of this kind.
    package init?(_ json: JSON) {
        guard var members = json.object, let time = json.time("time"), json["late"]?.bool == true,
            let id = json["id"]?.int
        else { return nil }
        for name in Self.marks { members[name] = nil }
        self.init(members, at: time, isTimeUncertain: json["time_uncertain"]?.bool ?? false, id: Int64(id))
    }
}
