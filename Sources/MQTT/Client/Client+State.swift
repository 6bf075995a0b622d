import EventLoop
import System

extension Client {
    /// The state of the connection to the broker.
    enum State {
        /// The client is not started, or is closed.
        case idle
        /// The client waits for the next attempt to connect.
        case waiting(Timer)
        /// Another thread looks up the broker's name. Only this thread uses the connection until the lookup is done.
        case lookingUp
        /// The client waits for the broker's CONNACK. `hasWritten`: whether the socket has been ready before.
        case connecting(deadline: Timer, hasWritten: Bool)
        case connected(since: Instant, heartbeat: Timer)

        func cancelTimer() {
            switch self {
            case .idle, .lookingUp: break
            case .waiting(let timer), .connecting(let timer, _), .connected(_, let timer): timer.cancel()
            }
        }
    }

    var isLookingUp: Bool {
        if case .lookingUp = state { true } else { false }
    }

    /// Whether the socket is in use.
    var isOpen: Bool {
        switch state {
        case .connecting, .connected: true
        case .idle, .waiting, .lookingUp: false
        }
    }

    /// The node to which the client is connected or connects, or the last one if it waits.
    package nonisolated var endpoint: Endpoint {
        assumeIsolated { $0.connection?.endpoint ?? $0.settings.nodes[0] }
    }

    /// Whether the broker has accepted the connection.
    package nonisolated var isConnected: Bool {
        assumeIsolated { client in
            if case .connected = client.state { true } else { false }
        }
    }

    /// Whether new messages are dropped: the client is closed, or is being closed.
    package nonisolated var isClosed: Bool { assumeIsolated { $0.closing.isDraining } }
}
