import CDBus
package import EventLoop
import Log
import System

/// A private connection to a message bus.
///
/// The connection calls its handlers on the loop, in the order in which the bus sends the messages: a signal that was
/// sent before a reply is handled before the call returns.
package actor Connection: LoopBound {
    package nonisolated let unownedExecutor: UnownedSerialExecutor
    package nonisolated let loop: EventLoop
    /// The address of the bus: `unix:path=/run/dbus/system_bus_socket`.
    package nonisolated let address: String

    private var transport: Transport?
    private var signalHandlers: [(Message) -> Void] = []
    private var callHandler: ((Message) -> Bool)?
    private var disconnectHandler: (() -> Void)?
    private var unansweredCount = 0
    /// The number of calls that wait for a reply.
    private var pendingCount = 0
    /// The callers that wait until fewer calls are under way, in order.
    private var waitingCalls: [CheckedContinuation<Void, Never>] = []

    /// The number of calls under way at most; further calls wait.
    ///
    /// The bus allows 128 for each connection, and counts the calls that have timed out too.
    package static let maximumPendingCalls = 64
    /// The number of timed-out calls without a late reply after which the connection ends, as if the bus had closed it.
    package static let maximumUnansweredCalls = 64

    private static let log = Log("dbus")

    /// The default address of the system bus.
    package static let systemBus = "unix:path=/run/dbus/system_bus_socket"

    private init(address: String, loop: EventLoop) {
        self.address = address
        self.loop = loop
        unownedExecutor = loop.asUnownedSerialExecutor()
    }

    /// Connects, authenticates and calls Hello.
    ///
    /// - Throws: `DBusError` if there is no bus at `address`, or if it rejects the connection.
    package static func open(_ address: String, loop: EventLoop) async throws(DBusError) -> Connection {
        let connection = Connection(address: address, loop: loop)
        try await connection.start()
        return connection
    }

    private func start() async throws(DBusError) {
        transport = try Transport(address: address, loop: loop) { [unowned self] message in
            isolated(message) { $0.received($1) }
        }
        do throws(DBusError) {
            let hello = try await callBus("Hello")
            guard let name = hello.arguments.first?.text, let pointer = transport?.pointer else {
                throw DBusError(DBusError.disconnected, "the bus at \(address) assigned no unique name")
            }
            dbus_bus_set_unique_name(pointer, name)
        } catch {
            close()
            throw error
        }
    }

    isolated deinit {
        transport?.close()
    }

    /// Ends the connection; unanswered calls fail with `Disconnected`.
    package func close() {
        transport?.close()
        transport = nil
        signalHandlers = []
        callHandler = nil
        disconnectHandler = nil
        let waiting = waitingCalls
        waitingCalls = []
        for caller in waiting { caller.resume() }
    }

    // MARK: Sending

    /// Sends a method call and returns its reply; waits before if 64 calls are under way.
    ///
    /// - Parameters:
    ///   - message: A method call.
    ///   - timeout: How long to wait for the reply after the call was sent; nil: no limit.
    ///   - isWanted: Asked after a wait: false if the call must no longer be sent.
    /// - Returns: The reply; an error reply is thrown.
    /// - Throws: `DBusError`: the error that the peer returned, `NoReply` after the timeout, `Disconnected`, or
    ///   `Failed` if the call was not sent because it is no longer wanted.
    package func call(
        _ message: Message, timeout: Duration? = .seconds(25), ifWanted isWanted: (@Sendable () async -> Bool)? = nil
    ) async throws(DBusError) -> Message {
        if pendingCount >= Self.maximumPendingCalls {
            await withCheckedContinuation { waitingCalls.append($0) }
            if let isWanted, await !isWanted() {
                admitNext()
                throw DBusError(DBusError.failed, "the call is no longer wanted")
            }
        }
        pendingCount += 1
        defer {
            pendingCount -= 1
            admitNext()
        }
        return try await exchange(message, timeout: timeout)
    }

    /// Resumes the first waiting call, if another call may be sent.
    private func admitNext() {
        if pendingCount < Self.maximumPendingCalls, !waitingCalls.isEmpty { waitingCalls.removeFirst().resume() }
    }

    private func exchange(_ message: Message, timeout: Duration?) async throws(DBusError) -> Message {
        let start = loop.now
        do throws(DBusError) {
            let reply = try await send(message, timeout: timeout)
            log(message, since: start, "succeeded")
            return reply
        } catch {
            log(message, since: start, "\(error)")
            throw error
        }
    }

    private func log(_ call: Message, since start: Instant, _ result: @autoclosure () -> String) {
        Self.log.debug(
            "\(call.path) \(call.member): \(result())",
            ["ms": (loop.now - start).nanoseconds / 1_000_000])
    }

    private func send(_ message: Message, timeout: Duration?) async throws(DBusError) -> Message {
        guard let transport else {
            throw DBusError(DBusError.disconnected, "not connected to the bus at \(address)")
        }
        let pointer = transport.pointer
        // A reply from bluetoothd's own state arrives at once and must not wait for a batch. A reply that needs the
        // peripheral takes longer than a batch.
        loop.expectAnswer(within: .milliseconds(10))
        let milliseconds = timeout.map { Int32(clamping: max(1, $0.nanoseconds / 1_000_000)) } ?? Int32.max
        let reply: Message? = await withCheckedContinuation { continuation in
            var pending: OpaquePointer?
            guard dbus_connection_send_with_reply(pointer, message.pointer, &pending, milliseconds) != 0,
                let pending
            else { return continuation.resume(returning: nil) }
            let box = Unmanaged.passRetained(PendingReply(continuation, transport))
            dbus_pending_call_set_notify(
                pending,
                { pending, data in
                    guard let pending, let data else { return }
                    let reply = dbus_pending_call_steal_reply(pending).map { Message(owning: $0) }
                    let box = Unmanaged<PendingReply>.fromOpaque(data).takeUnretainedValue()
                    box.transport?.pauseAfterReply()
                    box.resume(reply)
                }, box.toOpaque(),
                { data in
                    guard let data else { return }
                    // libdbus frees the data without a reply if the connection is closed: the caller must be resumed.
                    let box = Unmanaged<PendingReply>.fromOpaque(data)
                    box.takeUnretainedValue().resume(nil)
                    box.release()
                })
            dbus_pending_call_unref(pending)
        }
        guard let reply else {
            throw DBusError(DBusError.disconnected, "the bus at \(address) has closed the connection")
        }
        if reply.kind == .error {
            if reply.error.name == DBusError.noReply { countUnanswered() }
            throw reply.error
        }
        return reply
    }

    /// Counts a call that timed out.
    ///
    /// The bus rejects further calls of a connection with 128 unanswered calls. If no late replies arrive, only a new
    /// connection resets the bus's count.
    private func countUnanswered() {
        unansweredCount += 1
        guard unansweredCount == Self.maximumUnansweredCalls else { return }
        let handler = disconnectHandler
        close()
        handler?()
    }

    /// Sends a signal, a reply, or a call that expects no reply.
    package func send(_ message: Message) {
        guard let pointer = transport?.pointer else { return }
        dbus_connection_send(pointer, message.pointer, nil)
    }

    // MARK: Receiving

    /// Calls `handler` with every signal that arrives: those that match a rule, and those sent to this connection.
    package func onSignal(_ handler: @escaping @Sendable (Message) -> Void) {
        signalHandlers.append(handler)
    }

    /// Calls `handler` with every method call.
    ///
    /// `handler` returns whether it will reply; if false, the caller receives `UnknownMethod`.
    package func onCall(_ handler: @escaping @Sendable (Message) -> Bool) {
        callHandler = handler
    }

    /// Calls `handler` once when the connection to the bus has ended.
    package func onDisconnect(_ handler: @escaping @Sendable () -> Void) {
        disconnectHandler = handler
    }

    private func received(_ message: Message) -> Bool {
        switch message.kind {
        case .signal:
            if message.isSignal("Disconnected", on: "org.freedesktop.DBus.Local") {
                let handler = disconnectHandler
                close()
                handler?()
                return true
            }
            for handler in signalHandlers { handler(message) }
            return true
        case .call:
            return callHandler?(message) ?? false
        case .reply, .error:
            // A late reply to a call that has timed out: the bus no longer counts the call as unanswered.
            unansweredCount = max(0, unansweredCount - 1)
            return false
        case .other:
            return false
        }
    }

    // MARK: The bus itself

    /// The name of the message bus itself, as a destination and as a sender; also the name of its interface.
    package static let bus = "org.freedesktop.DBus"

    /// Calls a method of the message bus.
    @discardableResult
    package func callBus(_ member: String, _ arguments: [Variant] = []) async throws(DBusError) -> Message {
        // The bus answers itself, at once.
        let message = try Message(
            call: member, on: Self.bus, at: "/org/freedesktop/DBus", of: Self.bus, arguments)
        return try await exchange(message, timeout: .seconds(25))
    }

    /// Returns the unique name of the connection that owns a well-known name; nil if no connection owns it.
    package func owner(of name: String) async throws(DBusError) -> String? {
        do throws(DBusError) {
            return try await callBus("GetNameOwner", [.string(name)]).arguments.first?.text
        } catch {
            guard error.name == DBusError.nameHasNoOwner else { throw error }
            return nil
        }
    }

    /// Subscribes to the signals that match `rule`.
    ///
    /// - Throws: `DBusError`, e.g. `LimitsExceeded` at 512 rules.
    package func addMatch(_ rule: String) async throws(DBusError) {
        try await callBus("AddMatch", [.string(rule)])
    }

    /// Requests a well-known name, without replacing its owner and without queueing.
    ///
    /// - Throws: `DBusError` if another connection owns it, or if the bus's policy does not allow it.
    package func requestName(_ name: String) async throws(DBusError) {
        let doNotQueue: UInt32 = 4
        let reply = try await callBus("RequestName", [.string(name), .uint32(doNotQueue)])
        let primaryOwner = 1
        guard reply.arguments.first?.integer == primaryOwner else {
            throw DBusError(DBusError.accessDenied, "another connection owns the name \(name) on the bus at \(address)")
        }
    }

    /// Releases a well-known name.
    package func releaseName(_ name: String) async throws(DBusError) {
        try await callBus("ReleaseName", [.string(name)])
    }
}

extension Connection {
    /// The version of libdbus in use.
    package static var libraryVersion: String {
        var (major, minor, micro) = (Int32(0), Int32(0), Int32(0))
        dbus_get_version(&major, &minor, &micro)
        return "\(major).\(minor).\(micro)"
    }
}

/// The caller that waits for one reply.
///
/// The reply or the end of the connection resumes the caller, whichever happens first.
private final class PendingReply {
    private(set) weak var transport: Transport?
    private var continuation: CheckedContinuation<Message?, Never>?

    init(_ continuation: CheckedContinuation<Message?, Never>, _ transport: Transport) {
        self.continuation = continuation
        self.transport = transport
    }

    func resume(_ reply: Message?) {
        continuation?.resume(returning: reply)
        continuation = nil
    }
}
