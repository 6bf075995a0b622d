import JSON

/// The payload of `PREFIX/DEVICE/availability`.
struct Availability: Equatable {
    enum State: String {
        case online
        /// Disconnected on purpose: the device is available.
        case asleep
        /// No value or advertisement for longer than expected.
        case stale
        case offline
    }

    var state: State
    var reason: String?

    /// Whether the device works as configured.
    var isAvailable: Bool { state == .online || state == .asleep }

    var json: JSON {
        var members: [(String, JSON)] = [("state", .string(state.rawValue))]
        if let reason { members.append(("reason", .string(reason))) }
        return .object(JSON.Object(members))
    }
}
