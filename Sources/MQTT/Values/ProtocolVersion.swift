/// A version of MQTT.
package enum ProtocolVersion: Hashable, Sendable {
    /// MQTT 5.
    case five
    /// MQTT 3.1.1: the properties of messages are left out.
    case threeOneOne
}
