import EventLoop
import Glibc

/// One end of a pair of sockets whose other end a client gets: one packet, one value.
final class PacketSocket {
    /// The client that holds the other end.
    let client: String
    /// The end that is handed on.
    let far: Int32
    private let near: Int32
    private let loop: EventLoop

    /// - Parameters:
    ///   - closed: called when the client has closed its end.
    ///   - received: called with each packet from the client.
    init?(
        for client: String, on loop: EventLoop, closed: @escaping () -> Void,
        received: @escaping ([UInt8]) -> Void
    ) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        self.client = client
        self.loop = loop
        (near, far) = (ends[0], ends[1])
        loop.watch(near, for: .readable) { [near] readiness in
            let packet = Self.receive(near)
            // What was sent before the end comes before the end.
            if let packet, !(packet.isEmpty && readiness.contains(.hangUp)) {
                received(packet)
            } else if readiness.contains(.hangUp) {
                closed()
            }
        }
    }

    private static func receive(_ descriptor: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        return count < 0 ? nil : Array(buffer.prefix(count))
    }

    /// Sends a value; dropped when the client does not keep up, as bluetoothd does.
    func send(_ bytes: [UInt8]) {
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(near, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// The client has a copy of its own.
    func closeFarEnd() {
        Glibc.close(far)
    }

    func close() {
        loop.unwatch(near)
        Glibc.close(near)
    }
}
