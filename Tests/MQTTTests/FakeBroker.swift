import EventLoop
import Foundation
import TestSupport

/// A broker that answers each packet as the test specifies, to simulate failures.
final class FakeBroker {
    /// The packets of a client, by their first byte without flags.
    enum Packet: UInt8 {
        case connect = 0x10
        case publish = 0x30
        case subscribe = 0x80
        case unsubscribe = 0xa0
        case pingRequest = 0xc0
        case disconnect = 0xe0
    }

    static let accepted: [UInt8] = [0x20, 3, 0, 0, 0]

    let port: UInt16
    private let loop: EventLoop
    private let listener: Int32
    private var clients: [Int32] = []
    private let answer: (Packet, [UInt8]) -> [UInt8]?

    /// - Parameters:
    ///   - loop: The loop of the test.
    ///   - answer: Returns the bytes to send for a packet; receives the packet without its fixed header. An empty answer to
    ///     UNSUBSCRIBE is replaced by UNSUBACK. Nil closes the connection.
    /// - Throws: An error if no port is free.
    init(on loop: EventLoop, _ answer: @escaping (Packet, [UInt8]) -> [UInt8]?) throws {
        self.loop = loop
        self.answer = answer
        port = try freePort()
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        allowReuse(of: listener)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let code = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        precondition(code == 0 && listen(listener, 8) == 0, "port \(port) is taken")
        loop.watch(listener, for: .readable) { [unowned self] _ in
            let client = accept(listener, nil, nil)
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            clients.append(client)
            loop.watch(client, for: .readable) { _ in self.serve(client) }
        }
    }

    deinit {
        for descriptor in clients + [listener] {
            loop.unwatch(descriptor)
            Glibc.close(descriptor)
        }
    }

    /// Sends bytes to all clients.
    func send(_ bytes: some Collection<UInt8>) {
        for client in clients { write(client, Array(bytes), bytes.count) }
    }

    /// Closes all connections.
    func closeConnections() {
        for client in clients {
            loop.unwatch(client)
            Glibc.close(client)
        }
        clients = []
    }

    private func close(_ client: Int32) {
        loop.unwatch(client)
        Glibc.close(client)
        clients.removeAll { $0 == client }
    }

    /// Answers the packets that have arrived.
    ///
    /// They must be complete and shorter than 128 bytes.
    private func serve(_ client: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(client, &buffer, buffer.count)
        guard count > 0 else { return close(client) }
        var rest = buffer[..<count]
        while rest.count >= 2 {
            let first = rest[rest.startIndex]
            let length = Int(rest[rest.startIndex + 1])
            let body = Array(rest.dropFirst(2).prefix(length))
            rest = rest.dropFirst(2 + length)
            guard let packet = Packet(rawValue: first & 0xf0) else { continue }
            guard var reply = answer(packet, body) else { return close(client) }
            // A client that is being closed waits for UNSUBACK.
            if packet == .unsubscribe, reply.isEmpty { reply = [0xb0, 4] + body.prefix(2) + [0, 0] }
            if !reply.isEmpty { write(client, reply, reply.count) }
        }
    }
}
