import Bluetooth
import EventLoop
import System

/// The limit for versions of bluetoothd that crash during longer attempts: the length of an attempt, and the pause
/// after it.
struct AttemptLimit: Hashable, Sendable {
    let length: Duration
    let pause: Duration

    /// The limit for bluetoothd before 5.69: 5.66 crashes when the kernel itself ends an attempt for which a client
    /// waits.
    ///
    /// Linux 6.1 ends the attempt after 4 s (measured; bluetoothd 5.82 does not crash).
    ///
    /// The sum of length and pause is not a multiple of a usual advertising interval. If a peripheral advertises every
    /// 10 s, an advertisement therefore falls into one of the attempts.
    static let early = AttemptLimit(length: .milliseconds(3500), pause: .seconds(8))
}

/// Decides which peripheral may connect through one adapter: a controller makes one connection at a time.
///
/// While a peripheral is seen but does not answer, Linux starts no other connection (for 4 s in 6.1, for 20 s in 6.12).
/// While other peripherals wait, an attempt therefore lasts one turn; then it ends, and the peripheral waits again.
///
/// * A short turn suffices for a peripheral that answers.
/// * A peripheral that does not answer in a short turn gets a long turn after the other peripherals. A long turn also
///   reaches a peripheral that advertises only every 10 s.
/// * After a long turn without success, a peripheral gets only short turns for some time, which doubles each time.
/// * If attempts have a limit, an attempt ends at the limit even if no other peripheral waits.
///
/// A value without I/O: the methods accept requests and return decisions.
struct ConnectionTurns {
    enum Decision: Equatable {
        /// The peripheral may connect.
        case admit(Address)
        /// The turn of the peripheral is over: the caller must end its attempt and then call `leave`.
        case interrupt(Address)
    }

    private struct Request {
        let peripheral: Address
        let since: Instant
    }

    private struct Turn {
        let peripheral: Address
        let since: Instant
        let length: Duration
        var interruption: Instant?
    }

    /// A peripheral that has not answered within its last turn.
    private struct Laggard {
        var futileLongTurns: Int
        var nextLongTurn: Instant
    }

    /// The length of a long turn: the longest usual advertising interval, 10.24 s, plus the time to connect.
    static let longTurn = Duration.seconds(12)
    static let shortTurns = (least: Duration.seconds(2), most: Duration.seconds(6))
    /// The time from the first long turn without success until the next long turn.
    static let pause = Duration.seconds(30)
    static let longestPause = Duration.seconds(3600)
    /// The wait after which a peripheral that delayed other peripherals is no longer passed over.
    static let ageing = Duration.seconds(15)
    /// How long an interrupted attempt may take to end.
    static let grace = Duration.seconds(5)

    private let limit: AttemptLimit?
    private var turn: Turn?
    /// The length of the turns that have ended.
    private var endedTime = Duration.zero
    private var waiting: [Request] = []
    private var laggards: [Address: Laggard] = [:]
    /// When a peripheral may try again after its last attempt ended at the limit.
    private var pauses: [Address: Instant] = [:]
    /// The usual time of a successful connect, from recent connects: slow machines need longer turns.
    private var usual = Duration.milliseconds(500)

    /// - Parameter limit: The limit of an attempt to connect; nil: no limit.
    init(limit: AttemptLimit? = nil) {
        self.limit = limit
    }

    /// The peripheral whose turn it is.
    var active: Address? { turn?.peripheral }

    /// Returns the length of all turns until now.
    func time(at now: Instant) -> Duration {
        endedTime + (turn.map { now - $0.since } ?? .zero)
    }

    private var shortTurn: Duration {
        min(max(usual * 2 + .seconds(1), Self.shortTurns.least), Self.shortTurns.most)
    }

    /// Requests a turn for a peripheral that has none and does not wait for one.
    mutating func enter(_ peripheral: Address, at now: Instant) -> [Decision] {
        precondition(active != peripheral && !isWaiting(peripheral), "\(peripheral) has requested a turn before")
        waiting.append(Request(peripheral: peripheral, since: now))
        return decide(at: now)
    }

    func isWaiting(_ peripheral: Address) -> Bool {
        waiting.contains { $0.peripheral == peripheral }
    }

    /// Ends a turn, or the wait for one.
    ///
    /// - Parameters:
    ///   - peripheral: The address of the peripheral.
    ///   - isConnected: Whether there is a connection.
    ///   - now: The present time.
    /// - Returns: The decisions that follow.
    mutating func leave(_ peripheral: Address, isConnected: Bool, at now: Instant) -> [Decision] {
        waiting.removeAll { $0.peripheral == peripheral }
        if isConnected {
            laggards[peripheral] = nil
            pauses[peripheral] = nil
        }
        if let turn, turn.peripheral == peripheral {
            self.turn = nil
            endedTime += now - turn.since
            if isConnected {
                usual = max(now - turn.since, usual * 0.75)
            } else {
                ended(turn, at: now)
            }
        }
        return decide(at: now)
    }

    /// Notes a turn without a connection.
    ///
    /// A peripheral that failed at once has not delayed other peripherals.
    private mutating func ended(_ turn: Turn, at now: Instant) {
        let time = now - turn.since
        if let limit, time >= limit.length { pauses[turn.peripheral] = now + limit.pause }
        if time >= Self.longTurn {
            let count = (laggards[turn.peripheral]?.futileLongTurns ?? 0) + 1
            let pause = Backoff.delay(first: Self.pause, longest: Self.longestPause, afterFailures: count - 1)
            laggards[turn.peripheral] = Laggard(futileLongTurns: count, nextLongTurn: now + pause)
        } else if time >= turn.length, laggards[turn.peripheral] == nil {
            laggards[turn.peripheral] = Laggard(futileLongTurns: 0, nextLongTurn: now)
        }
    }

    /// Returns the decisions that are due; to be called after each change and at `nextDecision`.
    mutating func decide(at now: Instant) -> [Decision] {
        if let turn {
            guard let interruption = turn.interruption else {
                guard let end = end(of: turn), now >= end else { return [] }
                self.turn?.interruption = now
                return [.interrupt(turn.peripheral)]
            }
            // An attempt that does not end must not block other peripherals.
            guard now - interruption >= Self.grace else { return [] }
            self.turn = nil
            endedTime += now - turn.since
            ended(turn, at: now)
        }
        guard let index = next(at: now) else { return [] }
        let request = waiting.remove(at: index)
        turn = Turn(peripheral: request.peripheral, since: now, length: turnLength(of: request.peripheral, at: now))
        return [.admit(request.peripheral)]
    }

    /// When a decision may be due without a change; nil: never.
    var nextDecision: Instant? {
        guard let turn else { return waiting.compactMap { pauses[$0.peripheral] }.min() }
        return turn.interruption.map { $0 + Self.grace } ?? end(of: turn)
    }

    /// Returns when the attempt of a turn must end; nil: no limit while no other peripheral waits.
    private func end(of turn: Turn) -> Instant? {
        waiting.isEmpty ? limit.map { turn.since + $0.length } : turn.since + turn.length
    }

    /// Returns how long the next turn of a peripheral would last while others wait.
    func turnLength(of peripheral: Address, at now: Instant) -> Duration {
        guard let laggard = laggards[peripheral], now >= laggard.nextLongTurn else { return within(shortTurn) }
        return within(Self.longTurn)
    }

    private func within(_ length: Duration) -> Duration {
        limit.map { min(length, $0.length) } ?? length
    }

    /// Returns the index of the next request to admit, which must not be in a pause; nil: there is none.
    ///
    /// A peripheral that delayed other peripherals is passed over until it has waited for `ageing`.
    private func next(at now: Instant) -> Int? {
        let ready = waiting.indices.filter { pauses[waiting[$0].peripheral].map { $0 <= now } ?? true }
        return ready.first { laggards[waiting[$0].peripheral] == nil || now - waiting[$0].since >= Self.ageing }
            ?? ready.first
    }
}
