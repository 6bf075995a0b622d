import Devices
import System

/// Limits the lines of the log about failed requests.
///
/// A client that sends invalid requests without pause would otherwise fill the log: 100,000 requests took 10 MB in 81 s.
final class RequestFailures: @unchecked Sendable {
    // Used only on the thread of the event loop.
    private var limit = RateLimit.failures
    private var unreported = 0

    /// Counts a failure.
    ///
    /// - Parameter now: The current time.
    /// - Returns: The number of failures since the last line, without this one; nil: no line is due.
    func note(at now: Instant) -> Int? {
        guard limit.admit(at: now) else {
            unreported += 1
            return nil
        }
        defer { unreported = 0 }
        return unreported
    }
}
