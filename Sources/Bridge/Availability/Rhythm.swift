import Configuration
import System

/// The interval at which values of a characteristic arrive, and how long silence is normal.
///
/// A characteristic that is read periodically has the configured interval. The interval of notifications is learned;
/// only a rhythm that has been steady for a while is expected to continue. A door sensor may stay silent for days.
struct Rhythm: Equatable, Sendable {
    /// How long a rhythm must be steady before it counts.
    private let probation: Duration
    /// The tolerated silence that follows from the configuration.
    private let configured: Duration?
    /// When the last value arrived or the connection became ready.
    private var last: Instant?
    /// When the last beat was; nil before the first one of a connection.
    private var lastBeat: Instant?

    // Learned, in nanoseconds: decaying means of the gaps and of their deviation, and the longest recent gap.
    private var count = 0
    private var mean: Int64 = 0
    private var deviation: Int64 = 0
    private var longest: Int64 = 0
    private var steadySince: Instant?

    /// How long notifications must be steady.
    static let probation = Duration.seconds(600)
    /// The minimum silence that counts as overdue.
    static let minimumTolerance = Duration.seconds(60)
    /// The number of gaps in a mean.
    private static let window = 8
    /// Values within this many nanoseconds are one beat: several characteristics at once, or a delayed value.
    private static let beatWidth: Int64 = 250_000_000

    init(_ characteristic: Configuration.Characteristic) {
        if case .every(let interval)? = characteristic.read, !characteristic.subscribe {
            // A single read may fail.
            configured = interval * 2 + Self.minimumTolerance
        } else {
            configured = nil
        }
        probation = Self.probation
    }

    /// A rhythm without a configured interval.
    init(probation: Duration) {
        configured = nil
        self.probation = probation
    }

    /// A value has arrived.
    mutating func beat(at now: Instant) {
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

    /// The connection is ready: silence is measured from now on.
    mutating func resume(at now: Instant) {
        last = now
        // The gap across two connections is not a gap between values.
        lastBeat = nil
    }

    /// The longest recent gap between values, if the rhythm is steady.
    var interval: Duration? {
        guard let last, let steadySince, last - steadySince >= probation else { return nil }
        return .nanoseconds(longest)
    }

    /// When the next value is overdue; nil if no rhythm is known.
    var deadline: Instant? {
        guard let last else { return nil }
        if let configured { return last + configured }
        return interval.map { last + max(Self.minimumTolerance, $0 * 5) }
    }
}
