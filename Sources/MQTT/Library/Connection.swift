import CMosquitto
import EventLoop
import Glibc

/// A client of libmosquitto without a thread of its own: it works only while a function is called.
///
/// No function blocks, except `openFailure` while it looks up a name. The events that libmosquitto reports during a
/// call are recorded, and `takeEvents(_:)` returns them afterwards. Therefore no handler calls libmosquitto from within
/// a callback of libmosquitto.
///
/// One thread at a time uses a connection: the loop's thread or, during `openFailure`, the thread of the lookup.
final class Connection: @unchecked Sendable {
    let handle: OpaquePointer
    let settings: Client.Settings
    /// The node of the broker to which the object connects.
    let endpoint: Endpoint
    private var events: [LibraryEvent] = []
    /// Whether the broker has answered CONNECT since the connection was opened.
    private(set) var isAnswered = false
    /// Whether libmosquitto keeps unacknowledged messages: this object must not be opened again.
    private(set) var mustBeReplaced = false
    private var readThreshold = 1
    /// The first error that libmosquitto logged since the connection was opened.
    ///
    /// The logged error is more precise than the error code.
    private var loggedError: String?
    /// The properties of the last message; the next message usually has equal properties and uses `propertyList` again.
    private var lastProperties: Message.Shared?
    private var propertyList = PropertyList()
    /// A second descriptor of libmosquitto's socket; -1 without one.
    ///
    /// libmosquitto closes its own descriptor before it reports the end of a connection. Another thread can open a file
    /// with the same number before the loop stops watching the socket. The number of the second descriptor is not
    /// reused until then.
    private var socketCopy: Int32 = -1
    /// Reads in the place of libmosquitto from a connection without TLS; nil without a connection.
    private var inlet: Inlet?
    /// Reads in the place of libmosquitto after a TLS handshake; nil without a connection, and until then.
    private var tlsInlet: TLSInlet?
    /// The number of acknowledgements that libmosquitto may still read from the broker's socket in the present call.
    private var acknowledgementsToRead = 0
    /// Whether a long message was reported since the connection was opened.
    private var hasReportedLongMessage = false

    /// - Throws: `ClientError` for settings that can never work.
    init(_ settings: Client.Settings, to endpoint: Endpoint) throws(ClientError) {
        Library.initialize()
        guard Self.isValid(settings.identifier),
            let handle = mosquitto_new(settings.identifier, settings.sessionExpiry == .zero, nil)
        else { throw ClientError("'\(settings.identifier)' is not a valid MQTT client identifier") }
        self.handle = handle
        self.settings = settings
        self.endpoint = endpoint
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        installCallbacks()
        try configure()
    }

    /// Whether libmosquitto accepts an identifier.
    ///
    /// It is asked here, because `mosquitto_new` closes descriptor 0 when it rejects one (2.0.11).
    private static func isValid(_ identifier: String) -> Bool {
        let count = Int32(clamping: identifier.utf8.count)
        return count > 0 && mosquitto_validate_utf8(identifier, count) == MOSQ_ERR_SUCCESS.rawValue
    }

    deinit {
        mosquitto_destroy(handle)
        closeSocketCopy()
    }

    /// The second descriptor of libmosquitto's socket; nil while libmosquitto has no socket.
    var descriptor: Int32? {
        mosquitto_socket(handle) < 0 || socketCopy < 0 ? nil : socketCopy
    }

    var wantsToWrite: Bool {
        mosquitto_want_write(handle) || inlet?.isDiverted == true || tlsInlet?.hasUnsent == true
    }

    // MARK: Events

    var hasEvents: Bool {
        !events.isEmpty
    }

    /// Calls `take` with the recorded events in order, and with the events that are recorded during the calls.
    func takeEvents(_ take: (LibraryEvent) -> Void) {
        var count = 0
        while count < events.count {
            take(events[count])
            count += 1
        }
        events.removeAll(keepingCapacity: true)
    }

    func record(_ event: LibraryEvent) {
        switch event {
        case .accepted:
            isAnswered = true
            logErrors(false)
        case .refused: isAnswered = true
        default: break
        }
        events.append(event)
    }

    func record(loggedError text: String) {
        if loggedError == nil { loggedError = text }
    }

    // MARK: The socket

    /// Opens the second descriptor of the socket that libmosquitto has just opened.
    ///
    /// - Throws: `LibraryError` if the process has no file descriptor left.
    private func copySocket() throws(LibraryError) {
        let socket = mosquitto_socket(handle)
        guard socket >= 0 else { return }
        // libmosquitto does not set FD_CLOEXEC: a child process would keep the connection open.
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        socketCopy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        if socketCopy < 0 { throw LibraryError(Int32(MOSQ_ERR_ERRNO.rawValue)) }
        if settings.tls == nil { inlet = try Inlet() }
        limitTransmission()
    }

    /// Sets the time after which the kernel ends a connection whose data is not acknowledged.
    ///
    /// The call has no effect on a Unix socket.
    private func limitTransmission() {
        guard let timeout = settings.transmissionTimeout, let descriptor else { return }
        var milliseconds = UInt32(clamping: timeout.components.seconds * 1000)
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, socklen_t(MemoryLayout<UInt32>.size))
    }

    /// Closes the second descriptor; the loop must not watch it any more.
    func closeSocketCopy() {
        if socketCopy >= 0 { close(socketCopy) }
        socketCopy = -1
        (inlet, tlsInlet) = (nil, nil)
    }

    /// Delays sending until there is a full TCP segment, or until a call with `false`.
    ///
    /// The kernel delays for 200 ms at most (tcp(7)). The call has no effect on a Unix socket.
    func setCorked(_ isCorked: Bool) {
        guard let descriptor else { return }
        var value: Int32 = isCorked ? 1 : 0
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sets the number of bytes that must arrive before the socket is ready for reading.
    ///
    /// The call has no effect on a Unix socket, which is always ready after one byte.
    func setReadThreshold(_ count: Int) {
        guard count != readThreshold, let descriptor else { return }
        readThreshold = count
        var value = Int32(count)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    // MARK: Connecting

    /// Starts to connect; the result is reported as an event.
    ///
    /// Blocks during the lookup of a name: for endpoints with a name, another thread must make this call.
    ///
    /// - Parameter preferringIPv4: Whether the IPv4 addresses of a name are tried first.
    /// - Returns: The reason if the attempt has failed at once; nil if the attempt is under way.
    func openFailure(preferringIPv4: Bool) -> String? {
        do {
            try open(preferringIPv4: preferringIPv4)
            return nil
        } catch {
            guard isEarlyEnd(error) else { return reason(for: error) }
            return "\(error): the broker might not run; or it might not support TLS: set url to mqtt://"
        }
    }

    /// Whether a broker on this host has refused or closed the connection so early that libmosquitto 2.0.21 fails in the
    /// call that opens it, without the reason of the system.
    private func isEarlyEnd(_ error: LibraryError) -> Bool {
        error.code == MOSQ_ERR_TLS && loggedError == nil
    }

    private func open(preferringIPv4: Bool) throws(LibraryError) {
        loggedError = nil
        isAnswered = false
        hasReportedLongMessage = false
        readThreshold = 1
        events.removeAll()
        closeSocketCopy()
        logErrors(true)
        switch endpoint {
        case .unix(let path): try open(path, port: 0)
        case .tcp(let host, let port) where endpoint.isNumeric: try open(host, port: port)
        case .tcp("localhost", let port) where settings.tls == nil: try open(preferringIPv4: preferringIPv4, port: port)
        case .tcp(let host, let port): try open(host, port: port, preferringIPv4: preferringIPv4)
        }
        try copySocket()
    }

    /// Starts to connect to an address of a name.
    ///
    /// `mosquitto_connect_async` tries only the first address, even if no broker listens there: on most hosts the IPv6
    /// address of localhost. A local address of one family limits the attempt to remote addresses of that family. The
    /// local address cannot be reset to nil: 2.0.11 uses the freed text.
    private func open(_ host: String, port: UInt16, preferringIPv4: Bool) throws(LibraryError) {
        let families = ["0.0.0.0", "::"]
        mosquitto_string_option(handle, MOSQ_OPT_BIND_ADDRESS, families[preferringIPv4 ? 0 : 1])
        do {
            try open(host, port: port)
        } catch {
            // The name has no address of this family, there is no route to it, or no broker on this host listens there.
            guard error.code == MOSQ_ERR_ERRNO || isEarlyEnd(error) else { throw error }
            mosquitto_string_option(handle, MOSQ_OPT_BIND_ADDRESS, families[preferringIPv4 ? 1 : 0])
            try open(host, port: port)
        }
    }

    /// Starts to connect to localhost without a lookup: a file system that debootstrap created has no /etc/hosts.
    ///
    /// Source: RFC 6761, 6.3.
    private func open(preferringIPv4: Bool, port: UInt16) throws(LibraryError) {
        let addresses = ["127.0.0.1", "::1"]
        do {
            try open(addresses[preferringIPv4 ? 0 : 1], port: port)
        } catch {
            guard error.code == MOSQ_ERR_ERRNO else { throw error }
            try open(addresses[preferringIPv4 ? 1 : 0], port: port)
        }
    }

    private func open(_ host: String, port: UInt16) throws(LibraryError) {
        try check(mosquitto_connect_async(handle, host, Int32(port), Int32(settings.keepAlive.components.seconds)))
    }

    /// Replaces the will before the next connection is opened.
    ///
    /// libmosquitto accepts each will that it has accepted with another payload.
    func replaceWill(by will: Message) {
        do {
            try configure(will)
        } catch {
            record(loggedError: error.description)
        }
    }

    /// Requires another object for the next connection: this object would send its unacknowledged messages again.
    func replaceBeforeOpening() {
        mustBeReplaced = true
    }

    // MARK: Work

    /// Reads the data that has arrived, and handles the packets in it.
    ///
    /// A packet that is too long ends the connection; a message that is too long is cut or dropped.
    ///
    /// - Parameters:
    ///   - inFlight: The number of messages in flight.
    ///   - expected: Returns how many of the acknowledgements, from the first one on, belong to messages in flight.
    /// - Throws: `LibraryError` if libmosquitto fails.
    func read(expecting inFlight: Int, _ expected: (Acknowledgements) -> Int) throws(LibraryError) {
        let result: (code: LibraryError?, cut: Int?)?
        do throws(PacketError) {
            result = try readChecked(inFlight, expected)
        } catch {
            abort()
            return record(.disconnected(reason: error.description))
        }
        guard let (failure, cut) = result else { return try check(mosquitto_loop_read(handle, 1)) }
        if let cut, !hasReportedLongMessage {
            hasReportedLongMessage = true
            record(.cut(length: cut))
        }
        if let failure { throw failure }
    }

    /// Reads with the limits of packets; returns nil if libmosquitto itself must read: during a TLS handshake, and if
    /// the next packets are expected acknowledgements.
    private func readChecked(
        _ inFlight: Int, _ expected: (Acknowledgements) -> Int
    ) throws(PacketError) -> (code: LibraryError?, cut: Int?)? {
        guard let descriptor else { return nil }
        if let inlet {
            acknowledgementsToRead = inFlight > 0 ? inlet.expectedAcknowledgements(in: descriptor, expected) : 0
            // libmosquitto reads them from the socket; `acknowledgementRead` stops it.
            if acknowledgementsToRead > 0 { return nil }
            return try inlet.read(from: descriptor, for: handle)
        }
        guard let session = mosquitto_ssl_get(handle) else { return nil }
        if tlsInlet == nil { tlsInlet = TLSInlet(session) }
        return try tlsInlet?.read(from: descriptor, for: handle)
    }

    /// Ends a read after the last acknowledgement that was checked: no header reaches libmosquitto unchecked.
    ///
    /// libmosquitto reads up to one packet per message in flight, and stops after a packet if errno is EAGAIN
    /// (`mosquitto_loop_read` in 2.0.11 to 2.0.21).
    func acknowledgementRead() {
        guard acknowledgementsToRead > 0 else { return }
        acknowledgementsToRead -= 1
        if acknowledgementsToRead == 0 { errno = EAGAIN }
    }

    /// Returns the flag DUP of the message that libmosquitto reports, with quality of service 0 or 1.
    func takeDuplicateFlag() -> Bool { inlet?.takeDuplicateFlag() ?? tlsInlet?.takeDuplicateFlag() ?? false }

    /// Writes the packets that libmosquitto has queued.
    func write() throws(LibraryError) {
        if let descriptor { inlet?.flush(to: descriptor, for: handle) }
        try check(mosquitto_loop_write(handle, 1))
        tlsInlet?.flush(for: handle)
    }

    /// Sends PINGREQ when the keep-alive interval ends, and detects a missing PINGRESP; must be called every few
    /// seconds.
    func keepAlive() throws(LibraryError) {
        try check(mosquitto_loop_misc(handle))
    }

    /// Sends a message.
    ///
    /// - Returns: The packet identifier, which the acknowledgement repeats.
    func publish(_ message: Message, as quality: QualityOfService) throws(LibraryError) -> Int32 {
        var identifier: Int32 = 0
        if settings.version == .five, message.shared != lastProperties {
            propertyList = try PropertyList(message.properties)
            lastProperties = message.shared
        }
        let code = message.topic.description.withCString { topic in
            mosquitto_publish_v5(
                handle, &identifier, topic, Int32(clamping: message.payload.count), message.payload,
                quality.rawValue, message.isRetained, propertyList.head)
        }
        // Once libmosquitto has assigned an identifier, it keeps a message with quality of service 1 or 2, even if it
        // returns an error for the connection (message__queue in 2.0.11 to 2.0.21): the message is in flight.
        if identifier != 0, quality != .atMostOnce { return identifier }
        try check(code)
        return identifier
    }

    /// Sends SUBSCRIBE.
    ///
    /// - Returns: The packet identifier, which the SUBACK of the broker repeats.
    func subscribe(to filter: TopicFilter, _ subscription: Subscription) throws(LibraryError) -> Int32 {
        var identifier: Int32 = 0
        let options = settings.version == .five && subscription.ignoresOwn ? Int32(MQTT_SUB_OPT_NO_LOCAL.rawValue) : 0
        try check(
            mosquitto_subscribe_v5(
                handle, &identifier, filter.description, subscription.qualityOfService.rawValue, options, nil))
        return identifier
    }

    /// Sends UNSUBSCRIBE.
    ///
    /// - Returns: The packet identifier, which the UNSUBACK of the broker repeats.
    func unsubscribe(from filter: TopicFilter) throws(LibraryError) -> Int32 {
        var identifier: Int32 = 0
        try check(mosquitto_unsubscribe(handle, &identifier, filter.description))
        return identifier
    }

    /// Sends DISCONNECT after the queued messages; the broker does not publish the will.
    func disconnect() {
        mosquitto_disconnect_v5(handle, 0, nil)
    }

    /// Ends the connection without DISCONNECT; the broker publishes the will.
    func abort() {
        // libmosquitto has no such call. It closes the socket at the next `open`, or in `mosquitto_destroy`.
        if let descriptor { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    /// The reason for a failure: the error that libmosquitto logged, or the error code.
    func reason(for error: LibraryError) -> String {
        loggedError ?? error.description
    }

    /// The reason for the end of an established connection.
    func disconnectReason(for error: LibraryError) -> String {
        if let loggedError { return loggedError }
        guard isHangUp(error), let likelyCause else { return error.description }
        return "the broker has closed the connection: \(likelyCause)"
    }

    /// The cause for the end of an established connection.
    func endCause(for error: LibraryError) -> EndCause {
        isHangUp(error) ? .closed(isIdle: true) : .other
    }

    private func isHangUp(_ error: LibraryError) -> Bool {
        // libmosquitto logs the errors of OpenSSL. Without a logged error, errno is not the cause.
        let isSilent = error.code == MOSQ_ERR_ERRNO || error.code == MOSQ_ERR_TLS
        return error.isHangUp || settings.tls != nil && isSilent && loggedError == nil
    }
}
