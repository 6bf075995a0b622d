extension Duration {
    /// The duration in nanoseconds, limited to about 292 years in either direction.
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

    /// The duration for a message: `950ms`, `1.5s`, `30s`, `10m`, `1h`, `7d`.
    ///
    /// From 1 s the value is rounded to tenths of a second, from 1 min to seconds. `exactText` keeps the milliseconds.
    package var text: String {
        let milliseconds = nanoseconds / 1_000_000
        if milliseconds < 1000 { return "\(milliseconds)ms" }
        if milliseconds < 60_000 {
            let tenths = (milliseconds + 50) / 100
            return tenths % 10 == 0 ? "\(tenths / 10)s" : "\(tenths / 10).\(tenths % 10)s"
        }
        let seconds = (milliseconds + 500) / 1000
        for (unit, length) in [("d", Int64(86_400)), ("h", 3600), ("m", 60)] where seconds % length == 0 {
            return "\(seconds / length)\(unit)"
        }
        return "\(seconds)s"
    }

    /// The duration in the notation of the configuration, in the largest unit without a remainder: `1500ms`, `10m`.
    ///
    /// Fractions of a millisecond are dropped.
    package var exactText: String {
        let milliseconds = nanoseconds / 1_000_000
        for (unit, length) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000)] as [(String, Int64)]
        where milliseconds % length == 0 && milliseconds > 0 {
            return "\(milliseconds / length)\(unit)"
        }
        return "\(milliseconds)ms"
    }
}
