import Devices
import System

/// Limits the lines of the log about failures that other programs cause.
///
/// A client that sends invalid requests without pause would otherwise fill the log: 100,000 requests took 10 MB in 81 s.
final class FailureLines: @unchecked Sendable {
    // Used only on the thread of the event loop.
    private var limit = RateLimit.failures
    private var unreported = 0

    /// Counts a failure.
    ///
    /// - Parameters:
    ///   - text: The text of its line.
    ///   - now: The current time.
    /// - Returns: The line, with the number of failures since the last one; nil: no line is due.
    func line(_ text: String, at now: Instant) -> String? {
        guard limit.admit(at: now) else {
            unreported += 1
            return nil
        }
        defer { unreported = 0 }
        return unreported == 0 ? text : "\(text) (and \(unreported) others since the last line)"
    }
}
