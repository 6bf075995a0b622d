import CMosquitto
import Glibc

/// Reads from the socket of a broker, and lets libmosquitto read only what `PacketFilter` has passed.
///
/// libmosquitto reads from its own socket, and it cannot be told where to stop. During a read, the number of its socket
/// therefore refers to one end of a socket pair, whose other end contains only checked bytes. At all other times it
/// refers to the broker, and sending costs nothing more.
///
/// Expected acknowledgements, most of what a broker sends, need no detour (`expectedAcknowledgements`).
final class Inlet {
    /// The end of the socket pair for libmosquitto.
    private let libraryEnd: Int32
    private let ownEnd: Int32
    private var filter = PacketFilter()
    private var buffer = [UInt8](repeating: 0, count: 16_384)
    private var checked: [UInt8] = []
    /// Bytes that libmosquitto has sent during a read and that the broker's socket has not accepted, such as acknowledgements.
    private var unsent: [UInt8] = []
    /// Whether libmosquitto's socket refers to the pair because of `unsent`.
    private(set) var isDiverted = false
    /// Whether libmosquitto has read all checked bytes.
    private var isDrained = true

    /// - Throws: `LibraryError` if the process has no file descriptor left.
    init() throws(LibraryError) {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw LibraryError(Int32(MOSQ_ERR_ERRNO.rawValue)) }
        (libraryEnd, ownEnd) = (pair[0], pair[1])
    }

    deinit {
        close(libraryEnd)
        close(ownEnd)
    }

    /// Reads what has arrived, up to 16 KiB, and lets libmosquitto handle it.
    ///
    /// - Parameters:
    ///   - socket: The socket of the broker.
    ///   - handle: The client of libmosquitto, whose socket refers to the same connection.
    /// - Returns: The failure of libmosquitto, and the length in bytes of a message that was cut; nil: none.
    /// - Throws: `PacketError` for a packet that ends the connection.
    func read(from socket: Int32, for handle: OpaquePointer) throws(PacketError) -> (code: LibraryError?, cut: Int?) {
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else {
            if count < 0, errno == EAGAIN || errno == EINTR { return (nil, nil) }
            // libmosquitto reports the end of the connection when it reads.
            return (Self.loopRead(handle), nil)
        }
        checked.removeAll(keepingCapacity: true)
        try filter.pass(buffer[..<count], to: &checked)
        return (deliver(for: handle, to: socket), filter.takeCutLength())
    }

    /// Counts the acknowledgements at the beginning of the received bytes that libmosquitto can read from the socket itself.
    ///
    /// - Parameters:
    ///   - socket: The socket of the broker.
    ///   - expected: Returns how many of the acknowledgements, from the first one on, belong to messages in flight.
    /// - Returns: The number; 0 if another packet is first, if libmosquitto has not read all checked bytes, or if it would read
    ///   more than the acknowledgements.
    func expectedAcknowledgements(in socket: Int32, _ expected: (Acknowledgements) -> Int) -> Int {
        guard Library.readsSinglePackets, isDrained, !isDiverted, filter.isBetweenPackets else { return 0 }
        let count = recv(socket, &buffer, buffer.count, Int32(MSG_PEEK))
        return count > 0 ? expected(Acknowledgements(in: buffer[..<count])) : 0
    }

    /// Returns the flag DUP of the message that libmosquitto reports, with quality of service 0 or 1.
    func takeDuplicateFlag() -> Bool { filter.takeDuplicateFlag() }

    private func deliver(for handle: OpaquePointer, to socket: Int32) -> LibraryError? {
        let number = mosquitto_socket(handle)
        dup3(libraryEnd, number, O_CLOEXEC)
        isDiverted = true
        isDrained = false
        var (start, error) = (0, LibraryError?.none)
        // libmosquitto handles one packet per call, or one for each message in flight.
        while error == nil, mosquitto_socket(handle) == number {
            if start < checked.count {
                let count = checked[start...].withUnsafeBytes { send(ownEnd, $0.baseAddress, $0.count, 0) }
                start += max(count, 0)
            }
            let before = waitingCount
            isDrained = before == 0
            if isDrained { break }
            error = Self.loopRead(handle)
            if waitingCount == before, start == checked.count { break }
        }
        if mosquitto_socket(handle) == number { restore(number, to: socket) } else { isDiverted = false }
        return error
    }

    /// The number of bytes that libmosquitto has not read.
    private var waitingCount: Int32 {
        var count: Int32 = 0
        _ = ioctl(libraryEnd, UInt(FIONREAD), &count)
        return count
    }

    private static func loopRead(_ handle: OpaquePointer) -> LibraryError? {
        let code = mosquitto_loop_read(handle, 1)
        return code == MOSQ_ERR_SUCCESS.rawValue ? nil : LibraryError(code)
    }

    /// Sends to the broker what libmosquitto has sent during a read; does nothing if there is no such data.
    ///
    /// - Parameters:
    ///   - socket: The socket of the broker.
    ///   - handle: The client of libmosquitto.
    func flush(to socket: Int32, for handle: OpaquePointer) {
        let number = mosquitto_socket(handle)
        if isDiverted, number >= 0 { restore(number, to: socket) }
    }

    /// Lets libmosquitto's socket refer to the broker again, unless the broker's socket cannot take all data.
    private func restore(_ number: Int32, to socket: Int32) {
        repeat {
            while !unsent.isEmpty {
                let count = send(socket, unsent, unsent.count, Int32(MSG_NOSIGNAL))
                if count < 0, errno == EAGAIN { return }
                // After another error, libmosquitto finds that the connection has ended.
                unsent.removeFirst(count < 0 ? unsent.count : count)
            }
            let count = recv(ownEnd, &buffer, buffer.count, 0)
            if count <= 0 { break }
            unsent = Array(buffer[..<count])
        } while true
        dup3(socket, number, O_CLOEXEC)
        isDiverted = false
    }
}
