import CDBus
import EventLoop
import Glibc

/// A connection of libdbus on the loop: its watches, its timeouts and its queue of received messages.
///
/// The transport is used only on the event loop's thread. libdbus calls the functions for watches and timeouts while
/// the connection is locked, so these functions do not use the connection and do not dispatch.
final class Transport {
    let pointer: OpaquePointer
    private let loop: EventLoop
    /// Called with every message that is not a reply; returns whether it was handled.
    private let receive: (Message) -> Bool
    /// The object of the message that is being handled, which is reused for the next message if no handler has retained
    /// it; empty between two messages.
    private var received: Message?
    /// The signals that were dispatched and wait to be handled together.
    private var signals: [OpaquePointer] = []
    // libdbus has one watch for reading and one for writing on the same descriptor, which epoll accepts only once.
    private var watches: [(pointer: OpaquePointer, descriptor: Int32)] = []
    private var timeouts: [OpaquePointer: Timer] = [:]
    private var dispatching: Timer?
    /// Whether data is being read; the messages are dispatched right afterwards.
    private var isReading = false
    private var isDispatching = false
    /// Whether the present batch has dispatched a reply, whose caller has not continued yet.
    private var hasReply = false
    private var isClosed = false

    /// The maximum number of messages in one turn of the loop; timers and other descriptors are handled between turns.
    private static let batch = 256

    /// Opens a private connection; authentication follows later, on the loop.
    init(address: String, loop: EventLoop, receive: @escaping (Message) -> Bool) throws(DBusError) {
        var error = CDBus.DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        guard !address.utf8.contains(0), let pointer = dbus_connection_open_private(address, &error) else {
            let name = error.name.map { String(cString: $0) } ?? DBusError.disconnected
            let message = error.message.map { String(cString: $0) } ?? "cannot open \(address)"
            throw DBusError(name, message)
        }
        self.pointer = pointer
        self.loop = loop
        self.receive = receive
        // Otherwise libdbus would end the process together with the bus.
        dbus_connection_set_exit_on_disconnect(pointer, 0)
        // The default, at least 63 MiB, is too much for a small host. At the limit libdbus only stops reading.
        dbus_connection_set_max_received_size(pointer, 8 << 20)
        install()
    }

    private static func transport(_ data: UnsafeMutableRawPointer?) -> Transport {
        guard let data else { preconditionFailure("libdbus lost the data of a callback") }
        return Unmanaged<Transport>.fromOpaque(data).takeUnretainedValue()
    }

    private func install() {
        let data = Unmanaged.passUnretained(self).toOpaque()
        dbus_connection_set_watch_functions(
            pointer,
            { watch, data in
                if let watch { Transport.transport(data).add(watch) }
                return 1
            },
            { watch, data in
                if let watch { Transport.transport(data).remove(watch) }
            },
            { watch, data in
                if let watch { Transport.transport(data).update(dbus_watch_get_unix_fd(watch)) }
            }, data, nil)
        dbus_connection_set_timeout_functions(
            pointer,
            { timeout, data in
                if let timeout { Transport.transport(data).schedule(timeout) }
                return 1
            },
            { timeout, data in
                if let timeout { Transport.transport(data).cancel(timeout) }
            },
            { timeout, data in
                if let timeout { Transport.transport(data).schedule(timeout) }
            }, data, nil)
        dbus_connection_set_dispatch_status_function(
            pointer,
            { _, status, data in
                if status == DBUS_DISPATCH_DATA_REMAINS { Transport.transport(data).dispatchSoon() }
            }, data, nil)
        dbus_connection_add_filter(
            pointer,
            { _, message, data in
                let transport = Transport.transport(data)
                // After `close` no message is delivered.
                guard let message, !transport.isClosed else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
                let isHandled = transport.accept(message)
                return isHandled ? DBUS_HANDLER_RESULT_HANDLED : DBUS_HANDLER_RESULT_NOT_YET_HANDLED
            }, data, nil)
    }

    /// Ends the connection; no more messages are delivered.
    func close() {
        if isClosed { return }
        isClosed = true
        dispatching?.cancel()
        dbus_connection_close(pointer)
        // The queue is dispatched before the callbacks are removed: pending calls receive Disconnected. A handler is
        // called during a dispatch, and a nested dispatch would wait forever.
        if !isDispatching {
            while dbus_connection_dispatch(pointer) == DBUS_DISPATCH_DATA_REMAINS {}
        }
        dbus_connection_set_watch_functions(pointer, nil, nil, nil, nil, nil)
        dbus_connection_set_timeout_functions(pointer, nil, nil, nil, nil, nil)
        dbus_connection_set_dispatch_status_function(pointer, nil, nil, nil)
        for descriptor in Set(watches.map(\.descriptor)) { loop.unwatch(descriptor) }
        for timer in timeouts.values { timer.cancel() }
        dbus_connection_unref(pointer)
    }

    // MARK: Watches

    private func add(_ watch: OpaquePointer) {
        let descriptor = dbus_watch_get_unix_fd(watch)
        if !isWatched(descriptor) {
            // The bus queues the messages that are not read.
            loop.watch(descriptor, for: [], canWait: true) { [unowned self] in handle($0, on: descriptor) }
        }
        watches.append((watch, descriptor))
        update(descriptor)
    }

    private func remove(_ watch: OpaquePointer) {
        guard let index = watches.firstIndex(where: { $0.pointer == watch }) else { return }
        let descriptor = watches.remove(at: index).descriptor
        if isWatched(descriptor) { update(descriptor) } else { loop.unwatch(descriptor) }
    }

    private func isWatched(_ descriptor: Int32) -> Bool {
        watches.contains { $0.descriptor == descriptor }
    }

    private func update(_ descriptor: Int32) {
        var interest: Readiness = []
        for (watch, own) in watches where own == descriptor && dbus_watch_get_enabled(watch) != 0 {
            let flags = dbus_watch_get_flags(watch)
            if flags & DBUS_WATCH_READABLE.rawValue != 0 { interest.insert(.readable) }
            if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interest.insert(.writable) }
        }
        loop.rewatch(descriptor, for: interest)
    }

    private func handle(_ readiness: Readiness, on descriptor: Int32) {
        var flags: UInt32 = 0
        if readiness.contains(.readable) { flags |= DBUS_WATCH_READABLE.rawValue }
        if readiness.contains(.writable) { flags |= DBUS_WATCH_WRITABLE.rawValue }
        if readiness.contains(.hangUp) { flags |= DBUS_WATCH_HANGUP.rawValue }
        if readiness.contains(.error) { flags |= DBUS_WATCH_ERROR.rawValue }
        isReading = true
        for (watch, own) in watches where own == descriptor {
            // The handler of an earlier watch may have removed this watch.
            guard watches.contains(where: { $0.pointer == watch }), dbus_watch_get_enabled(watch) != 0 else { continue }
            let wanted = dbus_watch_get_flags(watch) | DBUS_WATCH_HANGUP.rawValue | DBUS_WATCH_ERROR.rawValue
            if flags & wanted != 0 { dbus_watch_handle(watch, flags & wanted) }
        }
        isReading = false
        dispatch()
    }

    // MARK: Timeouts

    private func schedule(_ timeout: OpaquePointer) {
        cancel(timeout)
        guard dbus_timeout_get_enabled(timeout) != 0 else { return }
        let interval = Duration.milliseconds(Int(dbus_timeout_get_interval(timeout)))
        timeouts[timeout] = loop.schedule(after: interval) { [unowned self] in
            dbus_timeout_handle(timeout)
            // A timeout repeats until libdbus removes it.
            if timeouts[timeout] != nil { schedule(timeout) }
            dispatch()
        }
    }

    private func cancel(_ timeout: OpaquePointer) {
        timeouts.removeValue(forKey: timeout)?.cancel()
    }

    // MARK: Dispatch

    func dispatchSoon() {
        guard dispatching == nil, !isReading, !isDispatching, !isClosed else { return }
        dispatching = loop.schedule(after: .zero) { [unowned self] in
            dispatching = nil
            dispatch()
        }
    }

    private func dispatch() {
        let isDone = dispatchBatch()
        if !isDone, !isClosed { dispatchSoon() }
    }

    /// Dispatches up to `batch` messages; returns whether the queue is empty.
    private func dispatchBatch() -> Bool {
        isDispatching = true
        defer { isDispatching = false }
        defer { handleSignals() }
        hasReply = false
        for _ in 0..<Self.batch where !isClosed {
            if dbus_connection_dispatch(pointer) != DBUS_DISPATCH_DATA_REMAINS { return true }
            // The caller of a reply continues, in the loop's next turn, before later messages are dispatched.
            if hasReply { return false }
        }
        return false
    }

    /// Stops dispatching after the present reply until the caller of the reply has continued.
    func pauseAfterReply() {
        hasReply = true
    }

    /// Handles a message that libdbus dispatches; returns whether it was handled.
    ///
    /// Signals are collected and handled together: before the next message of another kind or at the end of the batch.
    /// The processor's caches are too small for the code of libdbus and the code of the handlers at the same time.
    private func accept(_ message: OpaquePointer) -> Bool {
        dbus_message_ref(message)
        if dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_SIGNAL {
            signals.append(message)
            // Otherwise libdbus would search for an object that is registered at the signal's path; there is none.
            return true
        }
        handleSignals()
        return handle(message)
    }

    private func handleSignals() {
        for signal in signals { _ = handle(signal) }
        signals.removeAll(keepingCapacity: true)
    }

    /// Handles a message and takes ownership of the caller's reference; returns whether it was handled.
    private func handle(_ message: OpaquePointer) -> Bool {
        // After `close` no message is delivered.
        guard !isClosed else {
            dbus_message_unref(message)
            return false
        }
        if let received { received.fill(with: message) } else { received = Message(owning: message) }
        let isHandled = deliverReceived()
        releaseReceived()
        return isHandled
    }

    private func deliverReceived() -> Bool {
        received.map(receive) ?? false
    }

    /// Releases the handled message, unless a handler has retained it.
    ///
    /// libdbus stops reading while the messages in use are larger than its limit: a large message must not be in use
    /// until the next one, which would never be read.
    private func releaseReceived() {
        if isKnownUniquelyReferenced(&received) { received?.release() } else { received = nil }
    }
}
