import CMicroHTTPD
import Glibc

/// The place where the thread of a connection waits for the loop, or for the end of its client.
final class Gate: Sendable {
    /// An eventfd(2); -1 if the process has no descriptor left: then no wait is possible.
    private let descriptor = bluefleet_http_gate()

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Lets one call of `wait` return.
    func open() {
        var one: UInt64 = 1
        write(descriptor, &one, 8)
    }

    /// Waits for a call of `open`, until `deadline` at the latest.
    ///
    /// - Parameters:
    ///   - deadline: A moment of `Gate.now`.
    ///   - client: The socket of the client, whose end ends the wait; nil: it is not watched.
    /// - Returns: Whether the client is still there.
    func wait(until deadline: Int64, watching client: Int32?) -> Bool {
        guard descriptor >= 0 else { return false }
        let milliseconds = Int32(clamping: max(0, deadline - Self.now) / 1_000_000 + 1)
        let isThere = bluefleet_http_wait(descriptor, client ?? -1, milliseconds) != 0
        var count: UInt64 = 0
        read(descriptor, &count, 8)
        return isThere
    }

    /// The time of the monotonic clock, in nanoseconds.
    static var now: Int64 {
        var moment = timespec()
        clock_gettime(CLOCK_MONOTONIC, &moment)
        return Int64(moment.tv_sec) * 1_000_000_000 + Int64(moment.tv_nsec)
    }
}
