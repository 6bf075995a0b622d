package import EventLoop
package import System

/// A server for HTTP/1.1, whose requests an event loop answers.
///
///     let server = try HTTPServer(on: loop, listening: [.tcp(address, port: 2583)]) { request, exchange in
///         exchange.respond(HTTPResponse(200, text: "ok"))
///     }
///     …
///     server.stop()
///
/// libmicrohttpd receives and sends, with a thread for each connection, which waits while the loop answers.
package final class HTTPServer: LoopPart {
    /// The maximum length of the body of a request, in bytes.
    package static let longestBody = 64 << 10
    /// The maximum number of connections of all addresses together.
    private static let mostConnections = 64
    private static let checkInterval = Duration.seconds(5)

    package let loop: EventLoop
    private let core: Listener.Core
    private var listeners: [Listener] = []

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - loop: The loop, on which the initializer is called.
    ///   - addresses: The addresses, at most 8.
    ///   - headers: The header fields of every response.
    ///   - handler: Called with each request, on the loop; it responds to the exchange, now or later.
    /// - Throws: `SystemError` for the first address that is not available.
    package init(
        on loop: EventLoop, listening addresses: [ListenAddress], headers: [HTTPField] = [],
        _ handler: @escaping @Sendable (HTTPRequest, HTTPExchange) -> Void
    ) throws(SystemError) {
        self.loop = loop
        let entrance = LoopActor(loop: loop)
        core = Listener.Core(longestBody: Self.longestBody, headers: headers) { request, exchange in
            entrance.spawn { _ in handler(request, exchange) }
        }
        let share = max(8, Self.mostConnections / max(1, addresses.count))
        for address in addresses {
            do throws(SystemError) {
                listeners.append(try Listener(address, connections: share, core: core))
            } catch {
                stop()
                throw error
            }
        }
        checkSoon()
    }

    /// The ports, in the order of the addresses; nil for a Unix socket.
    package var ports: [UInt16?] { listeners.map(\.port) }

    /// Ends all connections, and waits for their threads; event streams must have been ended.
    package func stop() {
        core.stop()
        for listener in listeners { listener.stop() }
        listeners = []
    }

    private func checkSoon() {
        after(Self.checkInterval) { server in
            server.core.connections.endOverdue()
            server.checkSoon()
        }
    }
}
