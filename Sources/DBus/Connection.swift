internal import CDBus
package import EventLoop

/// A private connection to a message bus.
///
/// Handlers are called on the loop, in the order in which the bus delivers: a signal that was sent before a reply is
/// handled before the call returns.
package actor Connection: LoopBound {
    package nonisolated let unownedExecutor: UnownedSerialExecutor
    package nonisolated let loop: EventLoop
    /// The bus's address: `unix:path=/run/dbus/system_bus_socket`.
    package nonisolated let address: String

    private var transport: Transport?
    private var signalHandlers: [(Message) -> Void] = []
    private var callHandler: ((Message) -> Bool)?
    private var disconnectHandler: (() -> Void)?
    private var unansweredCount = 0

    /// As many calls may be given up and still be open; then the connection ends as if the bus had gone.
    package static let mostUnanswered = 64

    /// Where the system's bus listens, unless the environment says otherwise.
    package static let systemBus = "unix:path=/run/dbus/system_bus_socket"

    private init(address: String, loop: EventLoop) {
        self.address = address
        self.loop = loop
        unownedExecutor = loop.asUnownedSerialExecutor()
    }

    /// Connects, authenticates and says Hello.
    ///
    /// - Throws: `DBusError` when there is no bus at `address` or it does not let us in.
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
                throw DBusError(DBusError.disconnected, "the bus at \(address) gave no name")
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

    /// Ends the connection; calls in flight fail with `Disconnected`.
    package func close() {
        transport?.close()
        transport = nil
        signalHandlers = []
        callHandler = nil
        disconnectHandler = nil
    }

    // MARK: Sending

    /// Sends a call and waits for its reply.
    ///
    /// - Parameter timeout: how long to wait for the reply; nil: for ever. (A bus keeps account of unanswered calls, so
    ///   what may never be answered costs one of a connection's 128.)
    /// - Throws: `DBusError`: the other side's error, or `NoReply` in time, or `Disconnected`.
    package func call(_ message: Message, timeout: Duration? = .seconds(25)) async throws(DBusError) -> Message {
        guard let transport else {
            throw DBusError(DBusError.disconnected, "not connected to the bus at \(address)")
        }
        let pointer = transport.pointer
        // What bluetoothd knows it answers at once; what a peripheral has to say takes longer than to gather.
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
                    box.transport?.replied()
                    box.resume(reply)
                }, box.toOpaque(),
                { data in
                    guard let data else { return }
                    // Freed without a reply (the connection was closed under it): the caller must not wait for ever.
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

    /// A bus keeps account of each call that is not answered, and refuses more than 128 of them; of those that never are
    /// only a new connection gets rid.
    private func countUnanswered() {
        unansweredCount += 1
        guard unansweredCount == Self.mostUnanswered else { return }
        let handler = disconnectHandler
        close()
        handler?()
    }

    /// Sends a signal, a reply or a call that wants none.
    package func send(_ message: Message) {
        guard let pointer = transport?.pointer else { return }
        dbus_connection_send(pointer, message.pointer, nil)
    }

    // MARK: Receiving

    /// Calls `handler` with every signal that arrives: those that were asked for, and whatever anybody on the bus sends
    /// to us.
    package func onSignal(_ handler: @escaping @Sendable (Message) -> Void) {
        signalHandlers.append(handler)
    }

    /// Calls `handler` with every method call; it says whether it will answer, else the caller gets `UnknownMethod`.
    package func onCall(_ handler: @escaping @Sendable (Message) -> Bool) {
        callHandler = handler
    }

    /// Calls `handler` once when the bus has gone.
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
            // Nobody waits for it any more; the bus has settled the call.
            unansweredCount = max(0, unansweredCount - 1)
            return false
        case .other:
            return false
        }
    }

    // MARK: The bus itself

    /// The bus's own name, from which its signals come.
    package static let bus = "org.freedesktop.DBus"

    /// Calls a method of the message bus.
    @discardableResult
    package func callBus(_ member: String, _ arguments: [Variant] = []) async throws(DBusError) -> Message {
        try await call(Message(call: member, on: Self.bus, at: "/org/freedesktop/DBus", of: Self.bus, arguments))
    }

    /// The unique name of the connection that has a well-known one; nil when nobody has it.
    package func owner(of name: String) async throws(DBusError) -> String? {
        do throws(DBusError) {
            return try await callBus("GetNameOwner", [.string(name)]).arguments.first?.text
        } catch {
            guard error.name == "org.freedesktop.DBus.Error.NameHasNoOwner" else { throw error }
            return nil
        }
    }

    /// Asks the bus for the signals that `rule` describes.
    ///
    /// - Throws: `DBusError`, for example `LimitsExceeded` at 512 rules.
    package func addMatch(_ rule: String) async throws(DBusError) {
        try await callBus("AddMatch", [.string(rule)])
    }

    /// Takes a well-known name, from nobody and without queueing.
    ///
    /// - Throws: `DBusError` when it is taken or the bus's policy does not allow it.
    package func requestName(_ name: String) async throws(DBusError) {
        let doNotQueue: UInt32 = 4
        let reply = try await callBus("RequestName", [.string(name), .uint32(doNotQueue)])
        let primaryOwner = 1
        guard reply.arguments.first?.integer == primaryOwner else {
            throw DBusError(DBusError.accessDenied, "the name \(name) is taken on the bus at \(address)")
        }
    }

    /// Gives a well-known name back.
    package func releaseName(_ name: String) async throws(DBusError) {
        try await callBus("ReleaseName", [.string(name)])
    }
}

/// The caller that waits for one reply; resumed once, by whichever comes first.
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
