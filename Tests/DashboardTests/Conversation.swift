import Foundation
import TestSupport

/// A connection of a client that writes the bytes of its requests itself.
final class Conversation {
    /// A response.
    struct Reply {
        let status: Int
        let headers: [(name: String, value: String)]
        let body: String

        func header(_ name: String) -> String? {
            headers.first { $0.name == name.lowercased() }?.value
        }
    }

    private static let longestWait = 30

    private let descriptor: Int32
    private var unread: [UInt8] = []

    /// Connects to a port of 127.0.0.1.
    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        try connect(&address, MemoryLayout<sockaddr_in>.size)
    }

    /// Connects to a Unix socket.
    init(socket path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        try connect(&address, MemoryLayout<sockaddr_un>.size)
    }

    deinit { close(descriptor) }

    private func connect<Address>(_ address: inout Address, _ size: Int) throws {
        var limit = timeval(tv_sec: Self.longestWait, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(size))
            }
        }
        guard result == 0 else { throw UnexpectedOutcome("cannot connect: \(String(cString: strerror(errno)))") }
    }

    func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns the next response; nil if the server has closed the connection.
    func reply(hasBody: Bool = true) -> Reply? {
        guard let head = head() else { return nil }
        let length = head.header("content-length").flatMap { Int($0) } ?? 0
        let body = hasBody ? bytes(length).map { String(decoding: $0, as: UTF8.self) } : ""
        return body.map { Reply(status: head.status, headers: head.headers, body: $0) }
    }

    /// Returns the status and the header of the next response.
    func head() -> Reply? {
        guard let first = line() else { return nil }
        let words = first.split(separator: " ")
        guard words.count > 1, let status = Int(words[1]) else { return nil }
        var headers: [(name: String, value: String)] = []
        while let line = line(), !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[colon...].dropFirst().drop { $0 == " " }
            headers.append((line[..<colon].lowercased(), String(value)))
        }
        return Reply(status: status, headers: headers, body: "")
    }

    /// Returns the next part of a body in chunks; nil at its end.
    func chunk() -> String? {
        guard let size = line().flatMap({ Int($0, radix: 16) }), size > 0, let bytes = bytes(size), line() == "" else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the next lines of a body in chunks up to one that contains a text; nil if there is none.
    func lines(upTo text: String) -> [Substring]? {
        var lines: [Substring] = []
        while let chunk = chunk() {
            lines += chunk.split(separator: "\n")
            if let last = lines.lastIndex(where: { $0.contains(text) }) { return Array(lines[...last]) }
        }
        return nil
    }

    private func line() -> String? {
        var line: [UInt8] = []
        while let byte = bytes(1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: line.filter { $0 != 13 }, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    private func bytes(_ count: Int) -> [UInt8]? {
        while unread.count < count {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let received = recv(descriptor, &buffer, buffer.count, 0)
            guard received > 0 else { return nil }
            unread += buffer[..<received]
        }
        defer { unread.removeFirst(count) }
        return Array(unread[..<count])
    }

    /// Whether the server closes the connection without further bytes.
    var isClosed: Bool { bytes(1) == nil && errno != EAGAIN }
}

/// A failure of the environment of a test.
struct UnexpectedOutcome: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
