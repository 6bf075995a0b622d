extension Client {
    /// What a client needs to know about its broker and about itself.
    package struct Settings: Sendable {
        package var endpoint: Endpoint
        /// How the connection is secured; nil: not at all.
        package var tls: TLS?
        package var version = ProtocolVersion.five
        /// The name by which the broker knows the client; two clients of one name throw each other out.
        package var identifier: String
        package var username: String?
        /// Sent as it is; without NUL.
        package var password: [UInt8]?
        /// How often both sides make sure of each other when there is nothing to say; 5 s or more.
        package var keepAlive = Duration.seconds(30)
        /// For how long the broker keeps subscriptions, and messages for them, after the connection is gone.
        ///
        /// Zero begins anew with each connection. MQTT 3.1.1 knows only zero and for ever. What is published
        /// `.exactlyOnce` needs zero: the numbers of an earlier connection's messages are given out again.
        package var sessionExpiry = Duration.zero
        /// What the broker publishes when the client is gone without a farewell.
        package var will: Message?
        /// The longest packet to accept, in bytes; the broker drops what is longer (MQTT 5 only).
        package var maximumPacketSize: UInt32 = 1 << 20
        /// How many bytes of a payload are taken over, for a version that lets the broker send what it likes: of a longer
        /// one the rest is left out.
        package var longestPayload = Int.max
        /// How many messages may be on their way to the broker at a time; it may ask for less.
        package var window: UInt16 = 100
        package var outbox = OutboxLimits()
        package var backoff = Backoff()
        /// How long a broker may take to answer a connection.
        package var patience = Duration.seconds(15)

        package init(_ endpoint: Endpoint, identifier: String) {
            self.endpoint = endpoint
            self.identifier = identifier
        }
    }

    /// How much may wait for the broker.
    package struct OutboxLimits: Hashable, Sendable {
        package var count: Int
        /// About how much memory, in bytes.
        package var size: Int

        package init(count: Int = 10_000, size: Int = 8 << 20) {
            self.count = count
            self.size = size
        }
    }
}
