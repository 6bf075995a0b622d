/// An event of the demo.
enum DemoEvent: Sendable {
    /// An MQTT message was received.
    case message(topic: String, payload: [UInt8])
    /// The display must be refreshed.
    case tick
    /// The demo ends; the reason is nil if the user stopped it.
    case end(String?)
}
