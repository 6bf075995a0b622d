/// How hard both sides try to deliver a message (MQTT 5, 4.3).
package enum QualityOfService: Int32, Hashable, Sendable {
    /// Sent and forgotten.
    case atMostOnce = 0
    /// Sent until it is acknowledged; a connection that breaks in between may make two of it.
    case atLeastOnce = 1
    /// Sent until it is acknowledged, and never twice with one connection.
    case exactlyOnce = 2
}

extension QualityOfService: Comparable {
    package static func < (left: QualityOfService, right: QualityOfService) -> Bool { left.rawValue < right.rawValue }
}
