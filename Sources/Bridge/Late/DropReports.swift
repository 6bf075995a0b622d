import EventLoop
import System

/// Limits the reports about dropped messages to one in an hour.
struct DropReports {
    private static let interval = Duration.seconds(3600)

    private var reported = 0
    private var last: Instant?

    /// Returns how many messages were dropped since the last report; nil if there is nothing to report now.
    mutating func report(_ count: Int, at now: Instant) -> Int? {
        guard count > reported, last.map({ now - $0 >= Self.interval }) ?? true else { return nil }
        defer { (reported, last) = (count, now) }
        return count - reported
    }
}
