/// A moment on the loop's monotonic clock; it counts on while the machine sleeps and never jumps with the calendar.
package struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since an arbitrary origin.
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    package static func + (instant: Instant, duration: Duration) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.nanoseconds)
        return Instant(nanoseconds: overflow ? .max : sum)
    }

    /// How many nanoseconds have passed since an earlier moment: a `Duration` has 128 bits, which take many times as long.
    package func nanoseconds(since earlier: Instant) -> Int64 {
        nanoseconds - earlier.nanoseconds
    }

    package static func - (later: Instant, earlier: Instant) -> Duration {
        .nanoseconds(later.nanoseconds(since: earlier))
    }
}

extension Duration {
    /// The whole duration in nanoseconds, at most some 292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carry) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carry ? .max : sum
    }

    /// The duration in seconds.
    package var inSeconds: Double {
        Double(nanoseconds) / 1e9
    }
}
