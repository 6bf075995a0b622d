package import System

/// Limits the reports about undecodable values of one characteristic.
///
/// A device that sends 100 such values per second would otherwise fill the log and the event topic: 0.85 GB a day.
package struct FailureReports {
    /// The number of reports without a pause.
    private static let burst = 5
    /// The interval at which a further report is allowed.
    private static let interval = Duration.seconds(60)

    /// When each of the last reports was made, up to `burst`.
    private var reports: [Instant] = []
    /// The failures since the last report.
    private var unreported = 0

    package init() {}

    /// Counts a failure.
    ///
    /// - Parameter now: The current time.
    /// - Returns: The number of failures to report, including those since the last report; nil: no report is due.
    package mutating func note(at now: Instant) -> Int? {
        unreported += 1
        // Each report occupies a place for as many intervals as there are places.
        reports.removeAll { now - $0 >= Self.interval * Self.burst }
        guard reports.count < Self.burst else { return nil }
        reports.append(now)
        defer { unreported = 0 }
        return unreported
    }
}
