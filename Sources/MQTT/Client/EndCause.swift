import CMosquitto

/// The cause for the end of a connection, as far as it is known.
package enum EndCause: Hashable, Sendable {
    /// Another client has connected with the same client identifier (MQTT 5, 3.14.2.1).
    case takenOver
    /// The broker has closed the connection, maybe because of a packet that it does not accept.
    ///
    /// `isIdle`: the client waited for no answer.
    case closed(isIdle: Bool)
    /// Any other cause, such as the network, a broker that stops, a quota, or an attempt that failed.
    case other

    /// Creates the cause from the reason code of DISCONNECT (MQTT 5, 3.14.2.1).
    init(reasonCode: Int32) {
        let packetCodes = [
            MQTT_RC_UNSPECIFIED, MQTT_RC_MALFORMED_PACKET, MQTT_RC_PROTOCOL_ERROR, MQTT_RC_IMPLEMENTATION_SPECIFIC,
            MQTT_RC_NOT_AUTHORIZED, MQTT_RC_TOPIC_FILTER_INVALID, MQTT_RC_TOPIC_NAME_INVALID,
            MQTT_RC_PACKET_TOO_LARGE, MQTT_RC_PAYLOAD_FORMAT_INVALID,
            MQTT_RC_RETAIN_NOT_SUPPORTED, MQTT_RC_QOS_NOT_SUPPORTED, MQTT_RC_SHARED_SUBS_NOT_SUPPORTED,
            MQTT_RC_SUBSCRIPTION_IDS_NOT_SUPPORTED, MQTT_RC_WILDCARD_SUBS_NOT_SUPPORTED,
        ].map { Int32($0.rawValue) }
        if reasonCode == Int32(MQTT_RC_SESSION_TAKEN_OVER.rawValue) {
            self = .takenOver
        } else {
            self = packetCodes.contains(reasonCode) ? .closed(isIdle: true) : .other
        }
    }
}
