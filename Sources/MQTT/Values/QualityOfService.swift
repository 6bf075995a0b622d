/// The delivery guarantee of a message (MQTT 5, 4.3).
package enum QualityOfService: Int32, Hashable, Sendable {
    /// The message is sent once, without an acknowledgement.
    case atMostOnce = 0
    /// The message is sent until it is acknowledged. It may arrive more than once if the connection ends before the
    /// acknowledgement.
    case atLeastOnce = 1
    /// The message is sent until it is acknowledged. It never arrives twice within one connection.
    case exactlyOnce = 2
}

extension QualityOfService: Comparable {
    package static func < (left: QualityOfService, right: QualityOfService) -> Bool { left.rawValue < right.rawValue }
}
