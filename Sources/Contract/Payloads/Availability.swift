package import JSON

/// The payload of `PREFIX/DEVICE/availability`.
package struct Availability: Equatable {
    package enum State: String {
        case online
        /// The device is disconnected on purpose and counts as available.
        case asleep
        /// Values or advertisements are missing for longer than expected.
        case stale
        case offline
    }

    package var state: State
    package var reason: String?

    package init(state: State, reason: String? = nil) {
        self.state = state
        self.reason = reason
    }

    /// Whether the device counts as available: true for `online` and `asleep`.
    package var isAvailable: Bool { state == .online || state == .asleep }

    package var json: JSON {
        var members: [(String, JSON)] = [("state", .string(state.rawValue))]
        if let reason { members.append(("reason", .string(reason))) }
        return .object(JSON.Object(members))
    }
}
