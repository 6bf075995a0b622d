internal import CMosquitto
internal import EventLoop
internal import Glibc

/// A client of libmosquitto, driven from outside: nothing happens but in these calls, and none of them waits.
///
/// What the library reports during a call is noted down and asked for after it (`takeOccurrences(_:)`), so that nobody
/// calls back into a library that is in the middle of something.
///
/// At any time one thread uses it: the loop's, or for the length of `open` the one that looks up the broker's name.
final class Connection: @unchecked Sendable {
    let handle: OpaquePointer
    let settings: Client.Settings
    private var occurrences: [Occurrence] = []
    /// Whether the broker has answered since the connection was opened.
    private(set) var isAnswered = false
    private var awaitedBytes = 1
    /// The first complaint of the library since the connection was opened: it says more than the error's code.
    private var complaint: String?
    /// What the message that was published last carried besides its payload, also as the library takes it: mostly the next
    /// one carries the same.
    private var last: Message.Shared?
    private var list = PropertyList()

    /// - Throws: `ClientError` for settings that can never work.
    init(_ settings: Client.Settings) throws(ClientError) {
        Library.initialize()
        guard let handle = mosquitto_new(settings.identifier, settings.sessionExpiry == .zero, nil) else {
            throw ClientError("'\(settings.identifier)' is not an MQTT client identifier")
        }
        self.handle = handle
        self.settings = settings
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        installCallbacks()
        try configure()
    }

    deinit {
        mosquitto_destroy(handle)
    }

    /// The socket, while there is one; it changes with each connection.
    var descriptor: Int32? {
        let descriptor = mosquitto_socket(handle)
        return descriptor < 0 ? nil : descriptor
    }

    /// Why the socket never had another end, in the system's words; nil when it has one, or had.
    func socketFailure() -> String? {
        guard let descriptor else { return nil }
        var address = sockaddr()
        var length = socklen_t(MemoryLayout<sockaddr>.size)
        guard getpeername(descriptor, &address, &length) != 0, !Self.wasAnswered(descriptor) else { return nil }
        var error: Int32 = 0
        length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        // On this machine a refusal comes so early that the library's handshake has asked before us.
        return LibraryError.words(forSystemError: error == 0 ? ECONNREFUSED : error)
    }

    /// Whether somebody took the connection, who may have hung up since: only then is there the time of a round trip.
    private static func wasAnswered(_ descriptor: Int32) -> Bool {
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        return getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 && info.tcpi_rtt > 0
    }

    var wantsToWrite: Bool {
        mosquitto_want_write(handle)
    }

    var hasOccurrences: Bool {
        !occurrences.isEmpty
    }

    /// Hands over what has happened since the last time, the oldest first, and what happens meanwhile.
    func takeOccurrences(_ take: (Occurrence) -> Void) {
        var count = 0
        while count < occurrences.count {
            take(occurrences[count])
            count += 1
        }
        occurrences.removeAll(keepingCapacity: true)
    }

    func note(_ occurrence: Occurrence) {
        switch occurrence {
        case .accepted:
            isAnswered = true
            listenToComplaints(false)
        case .refused: isAnswered = true
        default: break
        }
        occurrences.append(occurrence)
    }

    func note(complaint text: String) {
        if complaint == nil { complaint = text }
    }

    /// The reason for a failure, in the best words there are.
    func words(for error: LibraryError) -> String {
        complaint ?? error.description
    }

    /// Whether what is written waits in the socket until there is more, or until it no longer is held back: for 200 ms at
    /// most (tcp(7)); where there is no TCP nothing is held back.
    func holdBack(_ isHeldBack: Bool) {
        guard let descriptor else { return }
        var value: Int32 = isHeldBack ? 1 : 0
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// So many bytes must have come before the socket is ready for reading; where there is no TCP one is enough.
    func awaitBytes(_ count: Int) {
        guard count != awaitedBytes, let descriptor else { return }
        awaitedBytes = count
        var value = Int32(count)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// The reason for the end of a connection that came about.
    func words(forEnd error: LibraryError) -> String {
        if let complaint { return complaint }
        // What OpenSSL has to say is a complaint; errno, when it says nothing, is about something else.
        let isSilent = error.code == MOSQ_ERR_ERRNO || error.code == MOSQ_ERR_TLS
        let isHangUp = error.isHangUp || settings.tls != nil && isSilent
        guard isHangUp, let suspicion else { return error.description }
        return "the broker has closed the connection: \(suspicion)"
    }

    // MARK: Work

    /// Begins to connect; what comes of it is an occurrence.
    ///
    /// Waits only where a name must be looked up: whoever gives one calls from a thread that may wait.
    ///
    /// - Parameter preferringIPv4: Which addresses of a name come first.
    /// - Throws: `LibraryError` when the attempt has failed already.
    func open(preferringIPv4: Bool) throws(LibraryError) {
        complaint = nil
        isAnswered = false
        awaitedBytes = 1
        occurrences.removeAll()
        listenToComplaints(true)
        switch settings.endpoint {
        case .unix(let path): try open(path, port: 0)
        case .tcp(let host, let port) where settings.endpoint.isNumeric: try open(host, port: port)
        case .tcp("localhost", let port) where settings.tls == nil: try open(preferringIPv4: preferringIPv4, port: port)
        case .tcp(let host, let port): try open(host, port: port, preferringIPv4: preferringIPv4)
        }
        // The library does not: a program started later would hold the connection open.
        if let descriptor { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    /// Begins to connect to one of the addresses of a name.
    ///
    /// When it may not wait, libmosquitto tries just the first address, be there a broker or not: on most machines the
    /// IPv6 one of localhost. A local address of one family leaves it only the remote addresses of that family. (Not to
    /// be taken back by nil: 2.0.11 goes on with the freed text.)
    private func open(_ host: String, port: UInt16, preferringIPv4: Bool) throws(LibraryError) {
        let families = ["0.0.0.0", "::"]
        mosquitto_string_option(handle, MOSQ_OPT_BIND_ADDRESS, families[preferringIPv4 ? 0 : 1])
        do {
            try open(host, port: port)
        } catch {
            guard error.code == MOSQ_ERR_ERRNO else { throw error }
            // There is no address of this family, or no way to it.
            mosquitto_string_option(handle, MOSQ_OPT_BIND_ADDRESS, families[preferringIPv4 ? 1 : 0])
            try open(host, port: port)
        }
    }

    /// Begins to connect to this machine: that is known where no file or name server tells it, as in a root that
    /// debootstrap made.
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

    /// Reads what has arrived.
    func read() throws(LibraryError) {
        try check(mosquitto_loop_read(handle, 1))
    }

    /// Writes what is waiting.
    func write() throws(LibraryError) {
        try check(mosquitto_loop_write(handle, 1))
    }

    /// Looks whether it is time for a sign of life; to be called every few seconds.
    func keepAlive() throws(LibraryError) {
        try check(mosquitto_loop_misc(handle))
    }

    /// Sends a message on its way.
    ///
    /// - Returns: The number that its acknowledgement will carry.
    func publish(_ message: Message, as quality: QualityOfService) throws(LibraryError) -> Int32 {
        var identifier: Int32 = 0
        if settings.version == .five, message.shared != last {
            list = try PropertyList(message.properties)
            last = message.shared
        }
        let code = message.topic.description.withCString { topic in
            mosquitto_publish_v5(
                handle, &identifier, topic, Int32(clamping: message.payload.count), message.payload,
                quality.rawValue, message.isRetained, list.head)
        }
        // Once an identifier is given out, the library keeps a message that is to be acknowledged, whatever it says
        // about this connection (message__queue in 2.0.11 to 2.0.21): it is on its way.
        if identifier != 0, quality != .atMostOnce { return identifier }
        try check(code)
        return identifier
    }

    /// - Returns: The number that the answer will carry.
    func subscribe(to filter: TopicFilter, _ subscription: Subscription) throws(LibraryError) -> Int32 {
        var identifier: Int32 = 0
        let options = settings.version == .five && subscription.ignoresOwn ? Int32(MQTT_SUB_OPT_NO_LOCAL.rawValue) : 0
        try check(
            mosquitto_subscribe_v5(
                handle, &identifier, filter.description, subscription.qualityOfService.rawValue, options, nil))
        return identifier
    }

    /// - Returns: The number that the answer will carry.
    func unsubscribe(from filter: TopicFilter) throws(LibraryError) -> Int32 {
        var identifier: Int32 = 0
        try check(mosquitto_unsubscribe(handle, &identifier, filter.description))
        return identifier
    }

    /// Says good-bye, after what is waiting; the broker does not publish the will.
    func disconnect() {
        mosquitto_disconnect_v5(handle, 0, nil)
    }

    /// Breaks the connection off: for the broker the client is lost.
    func breakOff() {
        // The library has no such call; it closes the socket with the next `open`, or when it is destroyed.
        if let descriptor { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
}
