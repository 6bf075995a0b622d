internal import JSON

/// What `PREFIX/DEVICE/availability` says (contract, part 3).
struct Availability: Equatable {
    enum State: String {
        case online
        /// Not connected, on purpose.
        case asleep
        case stale
        case offline
    }

    var state: State
    var reason: String?

    /// Whether the device does what is expected of it.
    var isAvailable: Bool { state == .online || state == .asleep }

    var json: JSON {
        var members: [(String, JSON)] = [("state", .string(state.rawValue))]
        if let reason { members.append(("reason", .string(reason))) }
        return .object(JSON.Object(members))
    }
}
