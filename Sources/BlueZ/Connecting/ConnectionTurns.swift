internal import Bluetooth
internal import EventLoop

/// Whose turn it is to connect through one adapter: a controller makes one connection at a time.
///
/// Linux starts no other one while a peripheral that is heard does not answer (for 4 s in 6.1, for 20 s in 6.12). While
/// others wait, an attempt therefore lasts a turn; then it is ended, and comes back. A short turn is enough for whoever
/// answers. Who needs more has a long one when the others are through, which also reaches those that advertise only every
/// ten seconds; and if that is in vain as well, each further long one comes after a rest that doubles. Where attempts
/// have a limit, they end at it whether others wait or not.
///
/// A value without any input or output: wishes go in, decisions come out.
struct ConnectionTurns {
    enum Decision: Equatable {
        /// It may connect.
        case admit(Address)
        /// Its turn is over: its attempt is to be ended, and then to leave.
        case interrupt(Address)
    }

    private struct Wish {
        let peripheral: Address
        let since: Instant
    }

    private struct Turn {
        let peripheral: Address
        let since: Instant
        let length: Duration
        var interruption: Instant?
    }

    /// What is known of a peripheral that has not answered within its last turn.
    private struct Reserve {
        var longTurnsInVain: Int
        var nextLongTurn: Instant
    }

    /// The longest interval of advertisements that is in use, 10.24 s, and the time to connect.
    static let longTurn = Duration.seconds(12)
    static let shortTurns = (least: Duration.seconds(2), most: Duration.seconds(6))
    /// The rest after the first long turn in vain.
    static let rest = Duration.seconds(30)
    static let longestRest = Duration.seconds(3600)
    /// After this wait those who hold others up are no longer passed over.
    static let ageing = Duration.seconds(15)
    /// How long an attempt may take to end.
    static let grace = Duration.seconds(5)

    private let limit: AttemptLimit?
    private var turn: Turn?
    private var waiting: [Wish] = []
    private var reserves: [Address: Reserve] = [:]
    /// Those whose last attempt had to be ended at the limit, and when they may try again.
    private var rests: [Address: Instant] = [:]
    /// How long it took lately to make a link: slow machines need longer turns.
    private var usual = Duration.milliseconds(500)

    /// - Parameter limit: what no attempt may exceed.
    init(limit: AttemptLimit? = nil) {
        self.limit = limit
    }

    var waitingCount: Int { waiting.count }

    /// Whose turn it is.
    var active: Address? { turn?.peripheral }

    private var shortTurn: Duration {
        min(max(usual * 2 + .seconds(1), Self.shortTurns.least), Self.shortTurns.most)
    }

    /// Asks for a turn, for a peripheral that has none and does not wait for one.
    mutating func enter(_ peripheral: Address, at now: Instant) -> [Decision] {
        precondition(active != peripheral && !isWaiting(peripheral), "\(peripheral) has asked before")
        waiting.append(Wish(peripheral: peripheral, since: now))
        return decide(at: now)
    }

    func isWaiting(_ peripheral: Address) -> Bool {
        waiting.contains { $0.peripheral == peripheral }
    }

    /// Ends a turn, or the wait for one.
    ///
    /// - Parameter isConnected: whether there is a link.
    mutating func leave(_ peripheral: Address, isConnected: Bool, at now: Instant) -> [Decision] {
        waiting.removeAll { $0.peripheral == peripheral }
        if isConnected {
            reserves[peripheral] = nil
            rests[peripheral] = nil
        }
        if let turn, turn.peripheral == peripheral {
            self.turn = nil
            if isConnected {
                usual = max(now - turn.since, usual * 0.75)
            } else {
                ended(turn, at: now)
            }
        }
        return decide(at: now)
    }

    /// Learns from a turn without a link; who failed at once has held nobody up.
    private mutating func ended(_ turn: Turn, at now: Instant) {
        let time = now - turn.since
        if let limit, time >= limit.length { rests[turn.peripheral] = now + limit.rest }
        if time >= Self.longTurn {
            let count = (reserves[turn.peripheral]?.longTurnsInVain ?? 0) + 1
            let rest = min(Self.rest * (1 << min(count - 1, 10)), Self.longestRest)
            reserves[turn.peripheral] = Reserve(longTurnsInVain: count, nextLongTurn: now + rest)
        } else if time >= turn.length, reserves[turn.peripheral] == nil {
            reserves[turn.peripheral] = Reserve(longTurnsInVain: 0, nextLongTurn: now)
        }
    }

    /// What is to be done now; again when something changes, and at `nextDecision`.
    mutating func decide(at now: Instant) -> [Decision] {
        if let turn {
            guard let interruption = turn.interruption else {
                guard let end = end(of: turn), now >= end else { return [] }
                self.turn?.interruption = now
                return [.interrupt(turn.peripheral)]
            }
            // Whoever cannot be ended does not hold the others up for ever.
            guard now - interruption >= Self.grace else { return [] }
            self.turn = nil
            ended(turn, at: now)
        }
        guard let index = next(at: now) else { return [] }
        let wish = waiting.remove(at: index)
        turn = Turn(peripheral: wish.peripheral, since: now, length: turnLength(of: wish.peripheral, at: now))
        return [.admit(wish.peripheral)]
    }

    /// When a decision may be due though nothing has happened; nil: never.
    var nextDecision: Instant? {
        guard let turn else { return waiting.compactMap { rests[$0.peripheral] }.min() }
        return turn.interruption.map { $0 + Self.grace } ?? end(of: turn)
    }

    /// When an attempt is to be ended; nil: as long as nobody else waits, never.
    private func end(of turn: Turn) -> Instant? {
        waiting.isEmpty ? limit.map { turn.since + $0.length } : turn.since + turn.length
    }

    /// How long its turn would last from now on while others wait.
    func turnLength(of peripheral: Address, at now: Instant) -> Duration {
        guard let reserve = reserves[peripheral], now >= reserve.nextLongTurn else { return within(shortTurn) }
        return within(Self.longTurn)
    }

    private func within(_ length: Duration) -> Duration {
        limit.map { min(length, $0.length) } ?? length
    }

    /// The first one that waits and need not rest; those that have held others up come after them, for a while.
    private func next(at now: Instant) -> Int? {
        let ready = waiting.indices.filter { rests[waiting[$0].peripheral].map { $0 <= now } ?? true }
        return ready.first { reserves[waiting[$0].peripheral] == nil || now - waiting[$0].since >= Self.ageing }
            ?? ready.first
    }
}
