import Glibc
import System

/// A request of HTTP to a server of this machine.
enum LocalRequest {
    enum Answer: Equatable {
        case response(status: Int, text: String)
        /// Nothing listens on the address.
        case nothing
        /// The server did not answer within 3 s.
        case silence
        /// This user must not connect to the address.
        case denied
    }

    private static let limit = 3
    private static let longestAnswer = 4096

    /// Sends `GET` with a path, and returns the answer.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - address: The address of the server; the loopback address if the server listens on all addresses.
    /// - Returns: The answer.
    static func get(_ path: String, from address: ListenAddress) -> Answer {
        let address = address.reachable
        let descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return .denied }
        defer { close(descriptor) }
        // The two words of a `timeval`: the release build cannot name the type (Swift 6.3.1).
        var time = (seconds: limit, microseconds: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            unsafe setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout.size(ofValue: time)))
        }
        let isConnected = unsafe try? address.withSocketAddress { unsafe connect(descriptor, $0, $1) == 0 }
        guard isConnected == true else { return errno == EACCES || errno == EPERM ? .denied : .nothing }
        let request = Array("GET \(path) HTTP/1.0\r\nHost: localhost\r\n\r\n".utf8)
        guard unsafe send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            return .silence
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: longestAnswer)
        while bytes.count < longestAnswer {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return answer(in: String(decoding: bytes, as: UTF8.self))
    }

    private static func answer(in text: String) -> Answer {
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count > 1, words[0].hasPrefix("HTTP/"), let status = Int(words[1]) else { return .silence }
        let body = lines.drop { !$0.isEmpty }.dropFirst().joined(separator: "\n")
        return .response(status: status, text: String(body.split(separator: "\n").first ?? ""))
    }
}

extension ListenAddress {
    /// The address for programs of this machine: the loopback address of a server that listens on all addresses.
    fileprivate var reachable: ListenAddress {
        guard case .tcp(let host, let port) = self, host.isUnspecified else { return self }
        let zeros = [UInt8](repeating: 0, count: 15)
        return IPAddress(bytes: host.isIPv6 ? zeros + [1] : [127, 0, 0, 1]).map { .tcp($0, port: port) } ?? self
    }
}

extension IPAddress {
    /// Whether the address stands for all addresses of the machine.
    var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }
}
