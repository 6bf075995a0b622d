package import System

extension Client {
    /// How a client connects to its broker, and how much it queues.
    package struct Settings: Sendable {
        package var endpoint: Endpoint
        /// How the connection is encrypted; nil: not at all.
        package var tls: TLS?
        package var version = ProtocolVersion.five
        /// The client identifier.
        ///
        /// The broker disconnects a client when another one connects with the same identifier.
        package var identifier: String
        package var username: String?
        /// The bytes of the password, without NUL.
        package var password: [UInt8]?
        /// The longest time without a packet before the client checks the connection; 5 s or more.
        package var keepAlive = Duration.seconds(30)
        /// How long the broker keeps the session without a connection: the subscriptions, and the messages for them.
        ///
        /// Zero: each connection starts a new session. MQTT 3.1.1 supports zero and forever only. Publishing with quality
        /// of service 2 needs zero, because packet identifiers are reused.
        package var sessionExpiry = Duration.zero
        /// The message that the broker publishes if the client disappears without DISCONNECT.
        package var will: Message?
        /// The longest packet that the broker may send, in bytes; MQTT 5 only.
        package var maximumPacketSize: UInt32 = 1 << 20
        /// The longest payload to receive, in bytes.
        ///
        /// A longer payload is cut off: MQTT 3.1.1 has no maximum packet size.
        package var maximumPayloadSize = Int.max
        /// The maximum number of unacknowledged messages; the broker may allow fewer.
        package var window: UInt16 = 100
        package var outbox = OutboxLimits()
        package var backoff = Backoff(first: .seconds(1), longest: .seconds(20))
        /// How long the broker may take to accept a connection.
        package var connectTimeout = Duration.seconds(15)

        package init(_ endpoint: Endpoint, identifier: String) {
            self.endpoint = endpoint
            self.identifier = identifier
        }
    }

    /// The limits of the queue of outgoing messages.
    package struct OutboxLimits: Hashable, Sendable {
        /// The maximum number of messages.
        package var count: Int
        /// The approximate maximum memory use, in bytes.
        package var size: Int

        package init(count: Int = 10_000, size: Int = 8 << 20) {
            self.count = count
            self.size = size
        }
    }
}
