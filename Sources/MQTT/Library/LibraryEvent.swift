/// An event that libmosquitto reports.
enum LibraryEvent {
    /// CONNACK with success: the broker accepts up to `receiveMaximum` unacknowledged messages (nil: no limit), and no
    /// quality of service above `best`.
    case accepted(resumed: Bool, receiveMaximum: UInt16?, best: QualityOfService)
    /// CONNACK with a failure.
    case refused(Refusal)
    /// The connection has ended.
    case disconnected(reason: String)
    case received(Message)
    /// A message was too long: it was received in part, or, with TLS, not at all.
    case cut(length: Int)
    /// The message with this identifier was acknowledged, or sent with quality of service 0, or rejected (`failure`).
    case published(identifier: Int32, failure: String?)
    case subscribed(identifier: Int32, failure: String?)
    case unsubscribed(identifier: Int32)
}
