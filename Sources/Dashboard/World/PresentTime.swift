package import System

/// The present time on both clocks.
package struct PresentTime: Sendable {
    /// The monotonic clock, for durations.
    package let instant: Instant
    /// The calendar.
    package let time: Timestamp

    package init(_ instant: Instant, _ time: Timestamp) {
        self.instant = instant
        self.time = time
    }
}
