/// What libmosquitto reports while it is at work.
enum Occurrence {
    /// CONNACK: the broker takes at most `receiveMaximum` unacknowledged messages, if it says so, and none of a better
    /// quality of service than this.
    case accepted(resumed: Bool, receiveMaximum: UInt16?, best: QualityOfService)
    /// CONNACK: the broker does not want this client.
    case refused(Refusal)
    /// The connection is gone.
    case disconnected(reason: String)
    case received(Message)
    /// The message of this identifier has been sent, and acknowledged if it asks for it; or refused: `failure`.
    case published(identifier: Int32, failure: String?)
    case subscribed(identifier: Int32, failure: String?)
    case unsubscribed(identifier: Int32)
}
