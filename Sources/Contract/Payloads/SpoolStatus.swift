package import JSON
package import System

/// The state of the messages that wait for the broker on the disk: the member `spool` of the gateway's topic `health`, and
/// the response to the request `spool`.
package struct SpoolStatus: Equatable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        case idle
        /// The broker is away.
        case keeping
        case replaying
        /// The disk has no room.
        case full
        case failed
    }

    package var state: State
    /// The number of messages.
    package var waiting = 0
    /// The size of the messages.
    package var bytes = 0
    /// The time of the oldest message; nil if there is none or if its time is not known.
    package var oldest: Timestamp?
    /// The number of messages that were removed because of the size.
    package var dropped = 0
    /// The number of messages that were removed because of their age.
    package var expired = 0
    /// The number of messages that could not be read.
    package var damaged = 0
    /// The bytes that were written to the disk.
    package var writtenBytes = 0
    /// The number of late messages that were sent.
    package var replayed = 0

    package init(_ state: State) {
        self.state = state
    }

    package var json: JSON {
        [
            "state": .string(state.rawValue), "waiting": .number(waiting), "bytes": .number(bytes),
            "oldest": oldest.map { .text($0) } ?? .null, "dropped": .number(dropped), "expired": .number(expired),
            "damaged": .number(damaged), "written_bytes": .number(writtenBytes), "replayed": .number(replayed),
        ]
    }

    /// - Returns: nil if the value is not of this kind.
    package init?(_ json: JSON) {
        guard let state = json["state"]?.string.flatMap({ State(rawValue: $0) }), let waiting = json["waiting"]?.int,
            let bytes = json["bytes"]?.int, let dropped = json["dropped"]?.int, let expired = json["expired"]?.int,
            let damaged = json["damaged"]?.int, let writtenBytes = json["written_bytes"]?.int,
            let replayed = json["replayed"]?.int
        else { return nil }
        self.init(state)
        self.waiting = waiting
        self.bytes = bytes
        oldest = json.time("oldest")
        self.dropped = dropped
        self.expired = expired
        self.damaged = damaged
        self.writtenBytes = writtenBytes
        self.replayed = replayed
    }
}
