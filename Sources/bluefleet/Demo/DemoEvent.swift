/// What happens in the demo.
enum DemoEvent: Sendable {
    /// A message came over MQTT.
    case message(topic: String, payload: [UInt8])
    /// Some time has passed.
    case tick
    /// It is over, and why where nobody wished so.
    case end(String?)
}
