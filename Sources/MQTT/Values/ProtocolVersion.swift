/// A version of MQTT.
package enum ProtocolVersion: Hashable, Sendable {
    /// MQTT 5.
    case five
    /// MQTT 3.1.1, which has no message properties.
    case threeOneOne
}
