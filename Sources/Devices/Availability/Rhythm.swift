package import Configuration
package import System

/// The interval at which values of a characteristic or advertisements arrive, and the deadline for the next one.
///
/// A characteristic that is read periodically has the configured interval. The interval of notifications and
/// advertisements is learned, and is used only after it has been steady for some time: a door sensor may send nothing
/// for days.
package struct Rhythm: Equatable, Sendable {
    /// How long the learned interval must be steady before it is used.
    private let probation: Duration
    /// The tolerated time without a value that follows from the configured interval; nil if the interval is learned.
    private let configured: Duration?
    /// When the last value arrived or the measurement restarted; nil: never.
    private var last: Instant?
    /// The time of the last beat; nil before the first beat after a restart of the measurement.
    private var lastBeat: Instant?

    // Learned, in nanoseconds: decaying means of the gaps and of their deviation, and the longest recent gap.
    private var count = 0
    private var mean: Int64 = 0
    private var deviation: Int64 = 0
    private var longest: Int64 = 0
    private var steadySince: Instant?
    /// The interval that an earlier run of the program has learned; nil: none.
    private var restored: Duration?

    /// How long the interval of notifications must be steady before it is used.
    package static let probation = Duration.seconds(600)
    /// The minimum time without a value after which the next value is overdue.
    package static let minimumTolerance = Duration.seconds(60)
    /// The number of gaps over which the means are calculated.
    private static let window = 8
    /// The time in nanoseconds within which several values count as one beat, such as a delayed value and the next one.
    private static let beatWidth: Int64 = 250_000_000

    package init(_ characteristic: Configuration.Characteristic) {
        // A history has no value of the present.
        if case .every(let interval)? = characteristic.read, !characteristic.subscribe,
            characteristic.exchange?.history == nil
        {
            // A single read may fail.
            configured = interval * 2 + Self.minimumTolerance
        } else {
            configured = nil
        }
        probation = Self.probation
    }

    /// Creates a rhythm without a configured interval.
    package init(probation: Duration) {
        configured = nil
        self.probation = probation
    }

    /// Notes that a value or an advertisement has arrived.
    package mutating func beat(at now: Instant) {
        last = now
        guard configured == nil else { return }
        if let lastBeat {
            let gap = now.nanoseconds(since: lastBeat)
            guard gap >= Self.beatWidth else { return }
            learn(gap, at: now)
        }
        lastBeat = now
    }

    private mutating func learn(_ gap: Int64, at now: Instant) {
        count = min(count + 1, Self.window)
        mean += (gap - mean) / Int64(count)
        deviation += (abs(gap - mean) - deviation) / Int64(count)
        longest = max(gap, longest - longest / 16)
        let isSteady = count == Self.window && deviation <= mean / 4
        steadySince = isSteady ? steadySince ?? now : nil
    }

    /// Restarts the measurement of the time without a value, for a new connection or after a change of Bluetooth.
    package mutating func resume(at now: Instant) {
        last = now
        // The gap across two connections is not a gap between values.
        lastBeat = nil
    }

    /// Uses the interval that an earlier run of the program has learned, until this run has learned one; nil: none.
    package mutating func restore(interval: Duration?) {
        restored = interval
    }

    /// The longest recent gap between values; the restored one, or nil, unless the interval has been steady for
    /// `probation`.
    package var interval: Duration? {
        guard let last, let steadySince, last - steadySince >= probation else { return restored }
        return .nanoseconds(longest)
    }

    /// The tolerated time without a value; nil if there is no configured or learned interval.
    package var tolerance: Duration? { configured ?? interval.map { max(Self.minimumTolerance, $0 * 5) } }

    /// When the next value is overdue; nil if there is no configured or learned interval.
    package var deadline: Instant? {
        guard let last, let tolerance else { return nil }
        return last + tolerance
    }
}
