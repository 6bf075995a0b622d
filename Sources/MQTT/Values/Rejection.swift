import CMosquitto

/// The reason why a broker rejected a PUBLISH or a SUBSCRIBE (MQTT 5, 3.4.2.1 and 3.9.3).
struct Rejection: Hashable, Sendable, CustomStringConvertible {
    private let code: UInt8

    /// - Returns: nil for the reason code of a success.
    init?(code: Int32) {
        guard code >= 0x80 else { return nil }
        self.code = UInt8(clamping: code)
    }

    /// Whether the broker may accept the same packet later: it names no fault of the packet.
    ///
    /// Unspecified error, implementation specific error, packet identifier in use, quota exceeded.
    var isTemporary: Bool { [0x80, 0x83, 0x91, 0x97].contains(code) }

    /// Whether a cluster answers so although all but one of the receivers get the message.
    ///
    /// Nodes of RabbitMQ 4 answer with "implementation specific error" as long as the node of one subscriber does not run.
    var canBePartial: Bool { code == 0x83 }

    var description: String { String(cString: mosquitto_reason_string(Int32(code))) }
}
