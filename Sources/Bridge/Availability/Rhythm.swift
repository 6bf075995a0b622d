internal import Configuration
internal import EventLoop

/// How regularly values of a characteristic come, and so how long a silence may last before something is wrong.
///
/// What is read has the interval of its configuration. What is notified is learned, and only what kept to a steady
/// rhythm for a while is expected to go on: a door that nobody opens has nothing to say.
struct Rhythm: Equatable, Sendable {
    /// How long a rhythm must have been steady to be relied on.
    private let probation: Duration
    /// The patience that follows from the configuration.
    private let fixed: Duration?
    /// When the last value came, or the link.
    private var last: Instant?
    /// When the last beat was; nil when the next is the first of a link.
    private var lastBeat: Instant?

    // What was learned, in nanoseconds: the decaying means of the gaps and of how far they are from that mean, and the
    // longest gap of late.
    private var count = 0
    private var mean: Int64 = 0
    private var deviation: Int64 = 0
    private var longest: Int64 = 0
    private var steadySince: Instant?

    /// How long the rhythm of what is notified must have been steady.
    static let probation = Duration.seconds(600)
    /// The least patience.
    static let leastPatience = Duration.seconds(60)
    /// So many gaps make a mean.
    private static let enough = 8
    /// Values that come together (within so many nanoseconds) are one beat: of several characteristics, or of one that was held up.
    private static let togetherness: Int64 = 250_000_000

    init(_ characteristic: Configuration.Characteristic) {
        if case .every(let interval)? = characteristic.read, !characteristic.subscribe {
            // One read may fail.
            fixed = interval * 2 + Self.leastPatience
        } else {
            fixed = nil
        }
        probation = Self.probation
    }

    /// The rhythm of something of which nothing is configured.
    init(probation: Duration) {
        fixed = nil
        self.probation = probation
    }

    /// A value came.
    mutating func beat(at now: Instant) {
        last = now
        guard fixed == nil else { return }
        if let lastBeat {
            let gap = now.nanoseconds(since: lastBeat)
            guard gap >= Self.togetherness else { return }
            learn(gap, at: now)
        }
        lastBeat = now
    }

    private mutating func learn(_ gap: Int64, at now: Instant) {
        count = min(count + 1, Self.enough)
        mean += (gap - mean) / Int64(count)
        deviation += (abs(gap - mean) - deviation) / Int64(count)
        longest = max(gap, longest - longest / 16)
        let isSteady = count == Self.enough && deviation <= mean / 4
        steadySince = isSteady ? steadySince ?? now : nil
    }

    /// The link is there: a silence begins now at the earliest.
    mutating func resume(at now: Instant) {
        last = now
        // The gap that the link came in the middle of says nothing.
        lastBeat = nil
    }

    /// The longest time of late from one value to the next, where that was steady; nil where it is not known.
    var interval: Duration? {
        guard let last, let steadySince, last - steadySince >= probation else { return nil }
        return .nanoseconds(longest)
    }

    /// When the next value will be overdue; nil while nothing is known that would be.
    var deadline: Instant? {
        guard let last else { return nil }
        if let fixed { return last + fixed }
        return interval.map { last + max(Self.leastPatience, $0 * 5) }
    }
}
