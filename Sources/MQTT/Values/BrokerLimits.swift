/// The limits that a broker announces in CONNACK (MQTT 5, 3.2.2.3); a broker of MQTT 3.1.1 announces none.
package struct BrokerLimits: Hashable, Sendable {
    /// The maximum number of unacknowledged messages; nil: no limit.
    var receiveMaximum: UInt16?
    /// The best quality of service of published messages.
    package var bestQuality = QualityOfService.exactlyOnce
    /// Whether the broker retains messages.
    package var retainsMessages = true
    /// The maximum size of a packet, in bytes; nil: no limit.
    package var maximumPacketSize: UInt32?
    /// Whether the filters of subscriptions may have wildcards.
    package var acceptsWildcards = true

    package init() {}
}
