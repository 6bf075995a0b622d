internal import Bluetooth
internal import EventLoop

/// The way to a link through one adapter, for one peripheral at a time; `ConnectionTurns` decides for which.
final class ConnectionLane {
    private let loop: EventLoop
    private let interrupt: (Address) -> Void
    private var turns: ConnectionTurns
    private var waiters: [Address: CheckedContinuation<Bool, Never>] = [:]
    private var timer: Timer?

    /// - Parameters:
    ///   - limit: what no attempt may exceed.
    ///   - interrupt: ends the attempt of a peripheral, whose turn is over.
    init(limit: AttemptLimit?, loop: EventLoop, interrupt: @escaping (Address) -> Void) {
        self.loop = loop
        self.interrupt = interrupt
        turns = ConnectionTurns(limit: limit)
    }

    /// Waits for a turn.
    ///
    /// - Returns: whether there is a point in trying; not if the wait was given up.
    func enter(_ peripheral: Address, isolation: isolated (any Actor)? = #isolation) async -> Bool {
        change { $0.enter(peripheral, at: $1) }
        if turns.active == peripheral { return true }
        return await withCheckedContinuation { waiters[peripheral] = $0 }
    }

    /// Ends a turn.
    func leave(_ peripheral: Address, isConnected: Bool) {
        change { $0.leave(peripheral, isConnected: isConnected, at: $1) }
    }

    /// Ends the wait for a turn, if there is one.
    ///
    /// - Parameter isConnected: whether that is because there is a link already.
    func endWait(of peripheral: Address, isConnected: Bool) {
        guard let waiter = waiters.removeValue(forKey: peripheral) else { return }
        leave(peripheral, isConnected: isConnected)
        waiter.resume(returning: isConnected)
    }

    /// The adapter has gone.
    func close() {
        timer?.cancel()
        for peripheral in waiters.keys { endWait(of: peripheral, isConnected: false) }
    }

    private func change(_ body: (inout ConnectionTurns, Instant) -> [ConnectionTurns.Decision]) {
        let decisions = body(&turns, loop.now)
        timer?.cancel()
        timer = turns.nextDecision.map { next in
            loop.schedule(after: next - loop.now) { [weak self] in self?.change { $0.decide(at: $1) } }
        }
        for decision in decisions {
            switch decision {
            case .admit(let peripheral): waiters.removeValue(forKey: peripheral)?.resume(returning: true)
            case .interrupt(let peripheral): interrupt(peripheral)
            }
        }
    }
}
