import Synchronization
import System

/// A request that waits for its response, on the thread of its connection.
package final class HTTPExchange: Sendable {
    private struct State {
        var response: HTTPResponse?
        var deadline: Int64
        /// Called if the client goes before the response; nil: its end does not end the wait, because clients of short
        /// requests may close their half of the connection.
        var onLeave: (@Sendable () -> Void)?
    }

    /// How long a request waits for its response unless `allow(_:)` gives it more time.
    private static let usualLimit: Int64 = 30_000_000_000

    private let state = Mutex(State(deadline: Gate.now + usualLimit))
    private let gate = Gate()
    private let client: Int32

    /// - Parameter client: The socket of the client.
    init(_ client: Int32) {
        self.client = client
    }

    /// Sends a response; a second one has no effect.
    package func respond(_ response: HTTPResponse) {
        let isFirst = state.withLock { state in
            guard state.response == nil else { return false }
            state.response = response
            return true
        }
        if isFirst { gate.open() }
    }

    /// Lets the request wait for its response for some time from now on, unless the client goes.
    ///
    /// - Parameters:
    ///   - limit: The time.
    ///   - onLeave: Called on any thread if the client goes.
    package func allow(_ limit: Duration, onLeave: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.deadline = Gate.now + limit.nanoseconds
            state.onLeave = onLeave
        }
        gate.open()
    }

    /// Waits for the response; called on the thread of the connection.
    ///
    /// - Returns: The response; nil if the client has gone.
    func wait() -> HTTPResponse? {
        while true {
            let (response, deadline, onLeave) = state.withLock { ($0.response, $0.deadline, $0.onLeave) }
            if let response { return response }
            guard Gate.now < deadline else { return HTTPResponse(504, text: "no response in time") }
            guard gate.wait(until: deadline, watching: onLeave == nil ? nil : client) else {
                onLeave?()
                return nil
            }
        }
    }
}
