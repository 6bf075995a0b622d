package import System

extension Client {
    /// The settings of a client: the connection to its broker, and the limits of its queue.
    package struct Settings: Sendable {
        /// The addresses of the nodes of the broker, tried in turn; at least one.
        package var nodes: [Endpoint]
        /// The TLS settings; nil: the connections are not encrypted.
        package var tls: TLS?
        package var version = ProtocolVersion.five
        /// The client identifier.
        ///
        /// The broker disconnects a client when another client connects with the same identifier.
        package var identifier: String
        package var username: String?
        /// The bytes of the password, without NUL; nil: no password.
        package var password: [UInt8]?
        /// The longest time without a packet before the client checks the connection; 5 s to 65,535 s.
        package var keepAlive = Duration.seconds(30)
        /// How long the broker keeps the session after the end of a connection: the subscriptions and their messages.
        ///
        /// Zero: each connection starts a new session. With MQTT 3.1.1, any other value means: without a limit.
        /// Publishing with quality of service 2 requires zero, because packet identifiers are reused.
        package var sessionExpiry = Duration.zero
        /// The message that the broker publishes if the connection ends without DISCONNECT; nil: none.
        package var will: Message?
        /// Returns the payload of the will for the next attempt to connect; nil: all attempts have the same payload.
        package var willPayload: (@Sendable () -> [UInt8])?
        /// The longest packet that the broker may send, in bytes; MQTT 5 only.
        package var maximumPacketSize: UInt32 = 1 << 20
        /// The longest payload to receive, in bytes.
        ///
        /// A longer payload is cut off: MQTT 3.1.1 has no maximum packet size.
        package var maximumPayloadSize = Int.max
        /// The maximum number of unacknowledged messages; the broker may allow fewer.
        package var window: UInt16 = 100
        /// The maximum number of published messages per second, 1 or more; nil: no limit.
        package var rate: Int?
        package var outbox = OutboxLimits()
        /// How long a message that must be kept waits before the client hands it over (`Event.kept`).
        package var keepAfter = Duration.seconds(10)
        package var backoff = Backoff(first: .seconds(1), longest: .seconds(20))
        /// How long the broker may take to accept a connection.
        package var connectTimeout = Duration.seconds(15)
        /// How long the broker's machine may take to acknowledge a TCP segment; nil: as long as the kernel allows.
        ///
        /// After that the kernel ends the connection, and delivers nothing that hangs in it (`TCP_USER_TIMEOUT`, tcp(7)).
        package var transmissionTimeout: Duration?
        /// How long the broker may take to acknowledge a message before the client connects again.
        package var acknowledgementTimeout = Duration.seconds(60)

        package init(_ endpoint: Endpoint, identifier: String) {
            nodes = [endpoint]
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
