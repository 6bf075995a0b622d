internal import EventLoop

/// The queue of those that want to connect through one adapter: a controller makes one connection at a time.
///
/// Whoever has its turn keeps it until it leaves, or until its patience has run out while others wait: a peripheral that
/// does not answer may go on trying, but holds nobody up.
final class ConnectionLane {
    /// A place in the queue.
    final class Ticket {
        fileprivate var continuation: CheckedContinuation<Bool, Never>?
        fileprivate var timer: Timer?
        fileprivate let isSlow: Bool

        fileprivate init(isSlow: Bool) {
            self.isSlow = isSlow
        }
    }

    private let loop: EventLoop
    private var active: Ticket?
    private var waiting: [Ticket] = []

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// How many wait for their turn.
    var waitingCount: Int { waiting.count }

    /// Waits for a turn.
    ///
    /// - Parameters:
    ///   - isSlow: the last attempt hung: the others go first and do not wait for this one.
    ///   - announce: gets the ticket before the wait begins.
    /// - Returns: the ticket, or nil if the wait was given up.
    func enter(isSlow: Bool, announce: (Ticket) -> Void, isolation: isolated (any Actor)? = #isolation) async -> Bool {
        let ticket = Ticket(isSlow: isSlow)
        announce(ticket)
        if active == nil && waiting.isEmpty {
            admit(ticket)
            return true
        }
        startPatience()
        return await withCheckedContinuation { continuation in
            ticket.continuation = continuation
            let position = isSlow ? waiting.endIndex : waiting.firstIndex(where: \.isSlow) ?? waiting.endIndex
            waiting.insert(ticket, at: position)
        }
    }

    /// Ends a turn, or the wait for it.
    func leave(_ ticket: Ticket) {
        ticket.timer?.cancel()
        if active === ticket {
            active = nil
            admitNext()
        } else if let index = waiting.firstIndex(where: { $0 === ticket }) {
            waiting.remove(at: index)
            ticket.continuation?.resume(returning: false)
        }
    }

    private func admitNext() {
        guard active == nil, !waiting.isEmpty else { return }
        let next = waiting.removeFirst()
        admit(next)
        next.continuation?.resume(returning: true)
        next.continuation = nil
        if !waiting.isEmpty { startPatience() }
    }

    private func admit(_ ticket: Ticket) {
        active = ticket
    }

    /// From now on somebody waits for the one whose turn it is.
    private func startPatience() {
        guard let active, active.timer == nil else { return }
        let patience: Duration = active.isSlow ? .milliseconds(200) : .seconds(1)
        active.timer = loop.schedule(after: patience) { [weak self, weak active] in
            guard let self, self.active === active else { return }
            self.active = nil
            self.admitNext()
        }
    }
}
