import Bluetooth
import EventLoop
import System

/// The attempts to connect through one adapter, one at a time; `ConnectionTurns` decides about their order.
final class ConnectionTurnQueue {
    private let loop: EventLoop
    private let interrupt: (Address) -> Void
    private var turns: ConnectionTurns
    private var waiters: [Address: CheckedContinuation<Bool, Never>] = [:]
    private var timer: Timer?

    /// - Parameters:
    ///   - limit: The limit of an attempt to connect; nil: no limit.
    ///   - loop: The event loop of the timer.
    ///   - interrupt: Ends the attempt of a peripheral whose turn is over.
    init(limit: AttemptLimit?, loop: EventLoop, interrupt: @escaping (Address) -> Void) {
        self.loop = loop
        self.interrupt = interrupt
        turns = ConnectionTurns(limit: limit)
    }

    /// Whether a peripheral is being connected, so that others wait.
    var isBusy: Bool { turns.active != nil }

    /// The length of all turns until now.
    var time: Duration { turns.time(at: loop.now) }

    /// Waits for the turn of a peripheral.
    ///
    /// - Returns: Whether the caller may connect: true at the peripheral's turn or if the peripheral is connected
    ///   already; false if the wait was cancelled.
    func enter(_ peripheral: Address, isolation: isolated (any Actor)? = #isolation) async -> Bool {
        change { $0.enter(peripheral, at: $1) }
        if turns.active == peripheral { return true }
        return await withCheckedContinuation { waiters[peripheral] = $0 }
    }

    /// Ends the turn of a peripheral.
    func leave(_ peripheral: Address, isConnected: Bool) {
        change { $0.leave(peripheral, isConnected: isConnected, at: $1) }
    }

    /// Ends the wait of a peripheral for its turn, if it waits.
    ///
    /// - Parameters:
    ///   - peripheral: The address of the peripheral that waits.
    ///   - isConnected: Whether the wait ends because there is a connection already.
    func endWait(of peripheral: Address, isConnected: Bool) {
        guard let waiter = waiters.removeValue(forKey: peripheral) else { return }
        leave(peripheral, isConnected: isConnected)
        waiter.resume(returning: isConnected)
    }

    /// Ends all waits, because the adapter is gone.
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
