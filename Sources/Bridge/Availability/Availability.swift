import JSON

/// The payload of `PREFIX/DEVICE/availability`.
struct Availability: Equatable {
    enum State: String {
        case online
        /// The device is disconnected on purpose and counts as available.
        case asleep
        /// Values or advertisements are missing for longer than expected.
        case stale
        case offline
    }

    var state: State
    var reason: String?

    /// Whether the device counts as available: true for `online` and `asleep`.
    var isAvailable: Bool { state == .online || state == .asleep }

    var json: JSON {
        var members: [(String, JSON)] = [("state", .string(state.rawValue))]
        if let reason { members.append(("reason", .string(reason))) }
        return .object(JSON.Object(members))
    }
}
