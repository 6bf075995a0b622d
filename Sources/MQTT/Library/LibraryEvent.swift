/// An event that libmosquitto reports.
enum LibraryEvent {
    /// CONNACK with success.
    case accepted(resumed: Bool, BrokerLimits)
    /// CONNACK with a failure.
    case refused(Refusal)
    /// The connection has ended.
    case disconnected(reason: String, cause: EndCause = .other)
    case received(Message)
    /// A message was too long: it was received in part, or, with TLS, not at all.
    case cut(length: Int)
    /// The message with this identifier was acknowledged, or sent with quality of service 0, or rejected.
    case published(identifier: Int32, Rejection?)
    case subscribed(identifier: Int32, Rejection?)
    case unsubscribed(identifier: Int32)
}
