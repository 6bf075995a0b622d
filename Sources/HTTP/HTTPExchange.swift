import Synchronization
import System

/// A request that waits for its response, on the thread of its connection.
package final class HTTPExchange: Sendable {
    private struct State {
        var response: HTTPResponse?
        var deadline: Int64
        /// Whether the end of the client ends the wait; clients of short requests may close their half of the connection.
        var watchesClient = false
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

    /// Lets the request wait for its response for this time from now on, unless the client goes.
    package func allow(_ limit: Duration) {
        state.withLock { state in
            state.deadline = Gate.now + limit.nanoseconds
            state.watchesClient = true
        }
        gate.open()
    }

    /// Waits for the response; called on the thread of the connection.
    ///
    /// - Returns: The response; nil if the client has gone.
    func wait() -> HTTPResponse? {
        while true {
            let (response, deadline, watched) = state.withLock { state in
                (state.response, state.deadline, state.watchesClient ? client : nil)
            }
            if let response { return response }
            guard Gate.now < deadline else { return HTTPResponse(504, text: "no response in time") }
            guard gate.wait(until: deadline, watching: watched) else { return nil }
        }
    }
}
