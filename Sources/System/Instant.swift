/// A moment on the event loop's monotonic clock (`CLOCK_BOOTTIME`).
///
/// The clock continues while the machine is suspended and ignores changes of the calendar time.
package struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since an arbitrary origin.
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Returns the moment `duration` after `instant`, limited to the range of 64-bit nanoseconds.
    package static func + (instant: Instant, duration: Duration) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.nanoseconds)
        return Instant(nanoseconds: overflow ? .max : sum)
    }

    /// Returns the nanoseconds from `earlier` to this moment.
    ///
    /// Frequent calls use this function: the arithmetic of `Duration`, which has 128 bits, takes several times as long.
    package func nanoseconds(since earlier: Instant) -> Int64 {
        nanoseconds - earlier.nanoseconds
    }

    package static func - (later: Instant, earlier: Instant) -> Duration {
        .nanoseconds(later.nanoseconds(since: earlier))
    }
}
