import Glibc

/// A local socket with separate packets (`SOCK_SEQPACKET`, unix(7)) on the loop.
package final class PacketSocket {
    private let descriptor: Int32
    private let loop: EventLoop
    private var isOpen = true

    /// - Parameters:
    ///   - descriptor: One end of a connection, which this object closes.
    ///   - loop: The loop that receives.
    ///   - received: Called with each packet, which can be empty.
    ///   - ended: Called when the other end is closed and all packets have been received. The caller must call `close`.
    package init(
        owning descriptor: Int32, on loop: EventLoop, received: @escaping (Span<UInt8>) -> Void,
        ended: @escaping () -> Void
    ) {
        self.descriptor = descriptor
        self.loop = loop
        // The socket's buffer holds more than 200 packets.
        loop.watch(descriptor, for: .readable, canWait: true) { readiness in
            let isReceived = Self.receive(from: descriptor) { packet in
                // recv(2) returns 0 for an empty packet and for the end. All packets are received before the end.
                guard !packet.isEmpty || !readiness.contains(.hangUp) else { return false }
                received(packet)
                return true
            }
            if !isReceived, readiness.contains(.hangUp) { ended() }
        }
    }

    deinit { close() }

    /// Returns both ends of a new connection; nil if the process has no file descriptor left.
    package static func pair() -> (near: Int32, far: Int32)? {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        return socketpair(AF_UNIX, type, 0, &ends) == 0 ? (ends[0], ends[1]) : nil
    }

    /// Receives one packet, if there is one, and passes it to `take`.
    ///
    /// - Returns: Whether `take` accepted it.
    private static func receive(from descriptor: Int32, _ take: (Span<UInt8>) -> Bool) -> Bool {
        // An attribute value has at most 512 bytes (Core Specification, Vol 3, Part F, 3.2.9).
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            return count >= 0 && take(UnsafeBufferPointer(rebasing: buffer[..<count]).span)
        }
    }

    /// Sends a packet; the packet is dropped if the socket's buffer is full.
    package func send(_ bytes: [UInt8]) {
        guard isOpen else { return }
        _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Closes this end; has no effect if this end is closed.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        loop.unwatch(descriptor)
        Glibc.close(descriptor)
    }
}
