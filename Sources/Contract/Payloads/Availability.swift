package import JSON

/// The payload of `PREFIX/DEVICE/availability`.
package struct Availability: Equatable, Sendable {
    package enum State: String, CaseIterable, Sendable {
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

    /// Returns the reason of `stale` if a value is overdue.
    ///
    /// - Parameter name: The name of the characteristic.
    /// - Returns: The reason.
    package static func noValue(of name: String) -> String { "no value of \(name) for longer than usual" }

    package var json: JSON {
        var members: JSON.Object = ["state": .string(state.rawValue)]
        members.add("reason", reason)
        return .object(members)
    }

    /// - Returns: nil if the payload is not of this kind.
    package init?(_ json: JSON) {
        guard let state = json["state"]?.string.flatMap({ State(rawValue: $0) }) else { return nil }
        self.init(state: state, reason: json["reason"]?.string)
    }
}
