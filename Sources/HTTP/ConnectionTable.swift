import Glibc
import Synchronization

/// The open connections, with the times at which slow clients are disconnected.
///
/// libmicrohttpd limits only the time without a byte: a client that sends a byte now and then would keep its thread for ever.
final class ConnectionTable: Sendable {
    /// The state of a connection, which decides how long it may last.
    enum Phase {
        /// A request is being received; it must be complete in time.
        case receiving
        /// The request waits for its response, or the response has no end.
        case answering
        /// The response is being sent.
        case sending

        /// The maximum duration in nanoseconds; nil: no limit.
        fileprivate var limit: Int64? {
            switch self {
            case .receiving: 40_000_000_000
            case .answering: nil
            case .sending: 60_000_000_000
            }
        }
    }

    private struct Connection {
        let socket: Int32
        var deadline: Int64?
    }

    /// The connections by the address of their object.
    private let connections = Mutex<[UInt: Connection]>([:])

    func add(_ key: UInt, socket: Int32, at now: Int64 = Gate.now) {
        let deadline = Phase.receiving.limit.map { now + $0 }
        connections.withLock { $0[key] = Connection(socket: socket, deadline: deadline) }
    }

    func enter(_ phase: Phase, _ key: UInt, at now: Int64 = Gate.now) {
        let deadline = phase.limit.map { now + $0 }
        connections.withLock { $0[key]?.deadline = deadline }
    }

    /// Removes a connection before its socket is closed.
    func remove(_ key: UInt) {
        connections.withLock { $0[key] = nil }
    }

    /// Ends the connections whose time is over.
    func endOverdue(at now: Int64 = Gate.now) {
        // The socket of a connection in the table is open.
        connections.withLock { connections in
            for connection in connections.values where connection.deadline.map({ $0 < now }) ?? false {
                shutdown(connection.socket, Int32(SHUT_RDWR))
            }
        }
    }
}
