import JSON
import System

/// The scans that requests have started; requests for equal scans share one scan.
///
/// A scan collects up to 1,000 devices, which take about 2 MB: the number of scans has a limit.
struct SharedScans {
    /// The maximum number of different scans.
    static let capacity = 4
    /// The maximum age of a scan that another request joins: its response must not contain old sightings.
    private static let joinTime = Duration.seconds(1)

    /// The effect of a request for a scan.
    enum Beginning: Equatable {
        /// The caller must scan, and call `end` with the number.
        case new(Int)
        /// The caller gets the result of the scan with the number.
        case joined(Int)
        /// Too many scans are under way.
        case refused
    }

    private struct Scan {
        let duration: Duration
        let start: Instant
        var waiting: [CheckedContinuation<JSON, Never>] = []
    }

    private var scans: [Int: Scan] = [:]
    private var count = 0

    /// Begins a scan, or joins an equal one.
    mutating func begin(_ duration: Duration, at now: Instant) -> Beginning {
        let equal = scans.first { $0.value.duration == duration && now - $0.value.start <= Self.joinTime }
        if let equal { return .joined(equal.key) }
        guard scans.count < Self.capacity else { return .refused }
        count += 1
        scans[count] = Scan(duration: duration, start: now)
        return .new(count)
    }

    /// Adds a request that has joined a scan.
    mutating func wait(for number: Int, _ continuation: CheckedContinuation<JSON, Never>) {
        scans[number]?.waiting.append(continuation)
    }

    /// Ends a scan, and passes its result to the requests that have joined it.
    mutating func end(_ number: Int, with result: JSON) {
        for continuation in scans.removeValue(forKey: number)?.waiting ?? [] { continuation.resume(returning: result) }
    }
}
