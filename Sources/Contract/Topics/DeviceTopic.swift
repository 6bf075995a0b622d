/// A topic that each device has exactly once: `PREFIX/DEVICE/…`.
package enum DeviceTopic: String, CaseIterable, Sendable {
    case availability, connection, info

    /// The last level of the topic.
    package var name: String { rawValue }

    /// Whether the broker keeps the last message for later subscribers.
    package var isRetained: Bool {
        switch self {
        case .availability, .connection, .info: true
        }
    }
}

/// Topics of a device that contain the name of a characteristic or quantity, or a verb.
package enum DeviceTopicGroup: String, CaseIterable, Sendable {
    /// The readings of a characteristic or of an advertised quantity.
    case reading
    case get, set
    case request, response

    /// Returns the levels of a topic after `PREFIX/DEVICE/`.
    package func name(_ name: String) -> String {
        switch self {
        case .reading: name
        case .get, .set: "\(name)/\(rawValue)"
        case .request, .response: "\(rawValue)/\(name)"
        }
    }
}
