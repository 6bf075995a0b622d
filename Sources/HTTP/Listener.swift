import CMicroHTTPD
import Glibc
import Synchronization
import System

/// A socket on which libmicrohttpd accepts connections, each with a thread of its own.
final class Listener: Sendable {
    /// The parts that the threads of the connections use.
    final class Core: Sendable {
        let connections = ConnectionTable()
        fileprivate let longestBody: Int
        private let headers: [HTTPField]
        private let handler: @Sendable (HTTPRequest, HTTPExchange) -> Void
        private let open = Mutex<(exchanges: [ObjectIdentifier: HTTPExchange], isStopping: Bool)>(([:], false))

        /// - Parameters:
        ///   - longestBody: The maximum length of a body in bytes.
        ///   - headers: The header fields of every response.
        ///   - handler: Called with each request, on the thread of its connection.
        init(
            longestBody: Int, headers: [HTTPField], handler: @escaping @Sendable (HTTPRequest, HTTPExchange) -> Void
        ) {
            self.longestBody = longestBody
            self.headers = headers
            self.handler = handler
        }

        /// Returns the response to a request, on the thread of the connection; nil if the client has gone.
        fileprivate func response(to request: HTTPRequest, from client: Int32) -> HTTPResponse? {
            let exchange = HTTPExchange(client)
            let key = ObjectIdentifier(exchange)
            let isStopping = open.withLock { open in
                if !open.isStopping { open.exchanges[key] = exchange }
                return open.isStopping
            }
            guard !isStopping else { return Self.stopping }
            defer { open.withLock { $0.exchanges[key] = nil } }
            handler(request, exchange)
            return exchange.wait()
        }

        /// Returns a response with the header fields of every response.
        fileprivate func complete(_ response: HTTPResponse) -> HTTPResponse { response.adding(headers) }

        /// Answers all requests, so that their threads can end.
        func stop() {
            let exchanges = open.withLock { open in
                open.isStopping = true
                return open.exchanges.values
            }
            for exchange in exchanges { exchange.respond(Self.stopping) }
        }

        private static let stopping = HTTPResponse(503, text: "the server stops")
    }

    private static let idleTime: UInt32 = 30

    /// The port; nil for a Unix socket.
    let port: UInt16?
    private let daemon: UInt
    private let core: Unmanaged<Core>

    /// Accepts connections from now on.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - connections: The maximum number of connections.
    ///   - core: The parts that the threads of the connections use.
    /// - Throws: `SystemError`, which names the address.
    init(_ address: ListenAddress, connections: Int, core: Core) throws(SystemError) {
        let socket = try ListenSocket.open(address, mode: 0o660)
        port = ListenSocket.port(of: socket)
        let limits = bluefleet_http_limits(
            connections: UInt32(connections), connections_per_address: UInt32(max(1, connections * 3 / 4)),
            idle_time: Self.idleTime, header_size: 32 << 10, stack_size: 256 << 10)
        self.core = Unmanaged.passRetained(core)
        let handle = bluefleet_http_start(socket, self.core.toOpaque(), limits, access, completed, changed)
        guard let handle else {
            let code = errno
            close(socket)
            self.core.release()
            throw SystemError("cannot listen on \(address)", code)
        }
        daemon = UInt(bitPattern: handle)
    }

    /// Ends all connections, and waits for their threads; must be called once.
    func stop() {
        MHD_stop_daemon(OpaquePointer(bitPattern: daemon))
        core.release()
    }

    /// Sends a response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - connection: The connection.
    ///   - core: The parts that the threads of the connections use.
    ///   - closing: Whether the connection ends after the response.
    /// - Returns: Whether the connection goes on.
    fileprivate static func send(
        _ response: HTTPResponse, on connection: OpaquePointer, _ core: Core, closing: Bool
    ) -> MHD_Result {
        if case .stream(let stream) = response.body { stream.attach(to: bluefleet_http_socket(connection)) }
        guard let prepared = prepare(response.body) else { return bluefleet_http_no }
        defer { MHD_destroy_response(prepared) }
        let response = core.complete(response)
        for field in response.headers { MHD_add_response_header(prepared, field.name, field.value) }
        if closing { MHD_add_response_header(prepared, "Connection", "close") }
        return MHD_queue_response(connection, UInt32(response.status), prepared)
    }

    private static func prepare(_ body: HTTPResponse.Body) -> OpaquePointer? {
        switch body {
        case .bytes(let bytes): return bluefleet_http_response(bytes.count, bytes)
        case .stream(let stream):
            return MHD_create_response_from_callback(
                UInt64.max, 4096,
                { stream, _, buffer, size in
                    guard let stream, let buffer else { return -2 }
                    let bytes = UnsafeMutableRawBufferPointer(start: buffer, count: size)
                    // -1 is the end of the body.
                    return Unmanaged<EventStream>.fromOpaque(stream).takeUnretainedValue().read(into: bytes) ?? -1
                }, Unmanaged.passRetained(stream).toOpaque(),
                { stream in
                    guard let stream else { return }
                    Unmanaged<EventStream>.fromOpaque(stream).takeRetainedValue().closed()
                })
        }
    }

    fileprivate static func restoreIdleTime(of connection: OpaquePointer) {
        bluefleet_http_set_idle_time(connection, idleTime)
    }
}

/// Called when a request's header has arrived, for each part of its body, and after its end.
private func access(
    _ core: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?, _ bytes: UnsafePointer<CChar>?,
    _ count: UnsafeMutablePointer<Int>?, _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let core, let connection, let url, let method, let count, let context else { return bluefleet_http_no }
    let own = Unmanaged<Listener.Core>.fromOpaque(core).takeUnretainedValue()
    guard let state = context.pointee else {
        let reception = Reception(
            connection, url: String(cString: url), method: String(cString: method), longestBody: own.longestBody)
        context.pointee = Unmanaged.passRetained(reception).toOpaque()
        guard let refusal = reception.refusal else { return bluefleet_http_yes }
        own.connections.enter(.sending, UInt(bitPattern: connection))
        return Listener.send(refusal, on: connection, own, closing: true)
    }
    let reception = Unmanaged<Reception>.fromOpaque(state).takeUnretainedValue()
    if count.pointee > 0 {
        reception.append(UnsafeRawBufferPointer(start: bytes, count: count.pointee))
        count.pointee = 0
        return bluefleet_http_yes
    }
    let key = UInt(bitPattern: connection)
    own.connections.enter(.answering, key)
    // The time of the wait does not count as idle.
    bluefleet_http_set_idle_time(connection, 0)
    let response: HTTPResponse?
    if let request = reception.request {
        response = own.response(to: request, from: bluefleet_http_socket(connection))
    } else {
        response = Reception.tooLong
    }
    Listener.restoreIdleTime(of: connection)
    guard let response else { return bluefleet_http_no }
    if case .bytes = response.body { own.connections.enter(.sending, key) }
    return Listener.send(response, on: connection, own, closing: false)
}

private func completed(
    _ core: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _: MHD_RequestTerminationCode
) {
    guard let core, let connection, let context else { return }
    if let state = context.pointee { Unmanaged<Reception>.fromOpaque(state).release() }
    context.pointee = nil
    Unmanaged<Listener.Core>.fromOpaque(core).takeUnretainedValue()
        .connections.enter(.receiving, UInt(bitPattern: connection))
}

private func changed(
    _ core: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ change: MHD_ConnectionNotificationCode
) {
    guard let core, let connection else { return }
    let connections = Unmanaged<Listener.Core>.fromOpaque(core).takeUnretainedValue().connections
    if bluefleet_http_is_start(change) != 0 {
        connections.add(UInt(bitPattern: connection), socket: bluefleet_http_socket(connection))
    } else {
        connections.remove(UInt(bitPattern: connection))
    }
}
