import Glibc
import Synchronization

/// The body of a response that goes on until one side ends it: server-sent events (WHATWG HTML, 9.2).
///
/// The loop adds bytes, and the thread of the connection sends them. If nothing is added for 15 s, the stream sends a comment,
/// so that proxies keep the connection.
package final class EventStream: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        /// The number of bytes at the beginning of `bytes` that are sent.
        var sent = 0
        var isEnded = false
        /// The socket of the client; nil before the response begins.
        var client: Int32?

        var waiting: Int { bytes.count - sent }
    }

    /// The number of bytes that may wait for the client; a client that reads more slowly is disconnected.
    private static let longestQueue = 1 << 20
    private static let silence: Int64 = 15_000_000_000
    private static let comment = Array(":\n\n".utf8)

    private let state = Mutex(State())
    private let gate = Gate()
    private let onEnd: @Sendable () -> Void

    /// - Parameter onEnd: Called once, on any thread, after the end of the connection.
    package init(onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    /// Adds bytes; ends the stream if too many wait.
    package func send(_ bytes: [UInt8]) {
        let opens = state.withLock { state in
            guard !state.isEnded else { return false }
            let wasEmpty = state.waiting == 0
            if state.waiting + bytes.count > Self.longestQueue {
                state.isEnded = true
            } else {
                state.bytes += bytes
            }
            return wasEmpty || state.isEnded
        }
        if opens { gate.open() }
    }

    /// Ends the stream after the bytes that wait.
    package func end() {
        state.withLock { $0.isEnded = true }
        gate.open()
    }

    /// Notes the socket of the client before the response begins.
    func attach(to client: Int32) {
        state.withLock { $0.client = client }
    }

    /// Copies the next bytes, and waits for them if there are none; called on the thread of the connection.
    ///
    /// - Returns: The number of bytes; nil at the end of the stream.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let deadline = Gate.now + Self.silence
        while true {
            let (count, isEnded, client) = state.withLock { state in
                (Self.move(&state, to: buffer), state.isEnded, state.client)
            }
            if count > 0 { return count }
            if isEnded { return nil }
            guard Gate.now < deadline else {
                buffer.copyBytes(from: Self.comment.prefix(buffer.count))
                return min(buffer.count, Self.comment.count)
            }
            guard gate.wait(until: deadline, watching: client) else { return nil }
        }
    }

    private static func move(_ state: inout State, to buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(state.waiting, buffer.count)
        buffer.copyBytes(from: state.bytes[state.sent..<state.sent + count])
        state.sent += count
        if state.sent == state.bytes.count {
            state.bytes.removeAll(keepingCapacity: state.bytes.capacity <= 16_384)
            state.sent = 0
        }
        return count
    }

    /// Called after the end of the connection.
    func closed() {
        state.withLock { $0.isEnded = true }
        onEnd()
    }
}
