import CMosquitto
import Glibc

/// Reads from the socket of a broker with TLS, and lets libmosquitto read only the records that `RecordFilter` passes.
///
/// After the handshake, OpenSSL decrypts from memory in the place of the socket: one record at a time is put there.
final class TLSInlet {
    /// The maximum length of an encrypted record with its header (RFC 8446, 5.2).
    private static let longestRecord = 5 + 16_384 + 256
    /// BIO_C_SET_BUF_MEM_EOF_RETURN of <openssl/bio.h>.
    private static let setEndOfMemory: Int32 = 130

    private let session: UnsafeMutableRawPointer
    private let memory: UnsafeMutableRawPointer
    private var filter = RecordFilter()
    /// Encrypted bytes that are not a complete record yet.
    private var encrypted: [UInt8] = []
    private var buffer = [UInt8](repeating: 0, count: longestRecord)
    /// The acknowledgements of dropped messages that were not sent yet.
    private var acknowledgements: [UInt8] = []

    /// Takes over the reading of a session of OpenSSL; fails during the handshake.
    init?(_ session: UnsafeMutableRawPointer) {
        guard SSL_is_init_finished(session) == 1, let memory = BIO_new(BIO_s_mem()) else { return nil }
        self.session = session
        self.memory = memory
        // An empty memory means that data may follow.
        BIO_ctrl(memory, Self.setEndOfMemory, -1, nil)
        SSL_set0_rbio(session, memory)
    }

    /// Whether acknowledgements of dropped messages wait.
    var hasUnsent: Bool { !acknowledgements.isEmpty }

    /// Reads what has arrived, and lets libmosquitto handle it.
    ///
    /// - Parameters:
    ///   - socket: The socket of the broker.
    ///   - handle: The client of libmosquitto.
    /// - Returns: The failure of libmosquitto, and the length in bytes of a message that was dropped; nil: none.
    /// - Throws: `PacketError` for a packet that ends the connection.
    func read(from socket: Int32, for handle: OpaquePointer) throws(PacketError) -> (code: LibraryError?, cut: Int?) {
        let count = recv(socket, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return (nil, nil) }
        guard count > 0 else {
            // libmosquitto reports the end of the connection when it reads.
            BIO_ctrl(memory, Self.setEndOfMemory, 0, nil)
            return (Self.loopRead(handle), nil)
        }
        encrypted.append(contentsOf: buffer[..<count])
        var start = 0
        defer { encrypted.removeFirst(start) }
        while encrypted.count - start >= 5 {
            let size = 5 + Int(encrypted[start + 3]) << 8 + Int(encrypted[start + 4])
            guard size <= Self.longestRecord else { throw PacketError("the broker has sent an invalid TLS record") }
            guard encrypted.count - start >= size else { break }
            _ = encrypted[start..<start + size].withUnsafeBytes { BIO_write(memory, $0.baseAddress, Int32($0.count)) }
            start += size
            if let error = try deliver(for: handle) { return (error, filter.takeCutLength()) }
        }
        flush(for: handle)
        return (nil, filter.takeCutLength())
    }

    /// Returns the flag DUP of the message that libmosquitto reports, with quality of service 0 or 1.
    func takeDuplicateFlag() -> Bool { filter.takeDuplicateFlag() }

    /// Drops the beginning of a record, or lets libmosquitto read it.
    private func deliver(for handle: OpaquePointer) throws(PacketError) -> LibraryError? {
        while true {
            ERR_clear_error()
            let count = SSL_peek(session, &buffer, Int32(buffer.count))
            // Not a record with data, or an error, which libmosquitto finds too.
            guard count > 0 else { return Self.loopRead(handle) }
            let size = try filter.countToDrop(of: buffer[..<Int(count)]) { acknowledgements += $0 }
            guard size > 0 else { return Self.loopRead(handle) }
            SSL_read(session, &buffer, Int32(size))
            if size == count { return nil }
        }
    }

    private static func loopRead(_ handle: OpaquePointer) -> LibraryError? {
        let code = mosquitto_loop_read(handle, 1)
        return code == MOSQ_ERR_SUCCESS.rawValue ? nil : LibraryError(code)
    }

    /// Sends the acknowledgements of dropped messages, unless libmosquitto is sending a packet.
    func flush(for handle: OpaquePointer) {
        guard !acknowledgements.isEmpty, !mosquitto_want_write(handle) else { return }
        ERR_clear_error()
        if SSL_write(session, acknowledgements, Int32(acknowledgements.count)) > 0 { acknowledgements = [] }
    }
}
