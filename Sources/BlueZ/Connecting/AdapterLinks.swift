internal import Bluetooth
internal import EventLoop

/// The links through one adapter: who has one, who waits for one, and who is being connected.
final class AdapterLinks {
    /// The way to a link, for one at a time.
    let lane: ConnectionLane
    private let loop: EventLoop
    private let recall: (Address) -> Void
    /// How many links there may be; nil: as many as the adapter turns out to hold.
    var configuredCapacity: Int? {
        didSet { change { $0.decide(at: $1) } }
    }
    private var estimate = CapacityEstimate()
    private var slots: ConnectionSlots
    private var waiters: [Address: CheckedContinuation<Bool, Never>] = [:]
    private var timer: Timer?

    /// - Parameters:
    ///   - capacity: how many links there may be; nil: as many as the adapter turns out to hold.
    ///   - limit: what no attempt to connect may exceed.
    ///   - recall: asks a peripheral's owner to end its link soon.
    ///   - interrupt: ends the attempt of a peripheral, whose turn is over.
    init(
        capacity: Int?, limit: AttemptLimit?, loop: EventLoop, recall: @escaping (Address) -> Void,
        interrupt: @escaping (Address) -> Void
    ) {
        self.loop = loop
        self.recall = recall
        configuredCapacity = capacity
        slots = ConnectionSlots(capacity: capacity)
        lane = ConnectionLane(limit: limit, loop: loop, interrupt: interrupt)
    }

    var usedCount: Int { slots.usedCount }
    /// Whether who connects now has to wait for somebody to leave.
    var isFull: Bool { capacity.map { usedCount >= $0 } ?? false }
    var waitingCount: Int { slots.waitingCount }
    /// Those that wait, the first one first.
    var waiting: [Address] { slots.waiting }
    /// How many more links there may be.
    var freeCount: Int { capacity.map { max(0, $0 - usedCount - waitingCount) } ?? .max }
    var capacity: Int? { configuredCapacity ?? estimate.capacity(at: loop.now) }

    /// Waits for a slot.
    ///
    /// - Parameter announce: is called if there is something to wait for.
    /// - Returns: whether the slot is there; not if it was given back meanwhile.
    func acquire(
        _ peripheral: Address, _ priority: ConnectionPriority, announce: () -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) async -> Bool {
        // A link may have come up without having been asked for.
        if !slots.holds(peripheral) { change { $0.request(peripheral, priority, at: $1) } }
        if slots.holds(peripheral) { return true }
        announce()
        return await withCheckedContinuation { waiters[peripheral] = $0 }
    }

    /// Gives the slot back, or the place in the queue.
    func release(_ peripheral: Address) {
        waiters.removeValue(forKey: peripheral)?.resume(returning: false)
        change { $0.release(peripheral, at: $1) }
    }

    func isWaiting(_ peripheral: Address) -> Bool {
        waiters[peripheral] != nil
    }

    func setPriority(_ priority: ConnectionPriority, of peripheral: Address) {
        change { $0.setPriority(priority, of: peripheral, at: $1) }
    }

    /// Takes note of a link that is there without having been asked for.
    func occupy(_ peripheral: Address) {
        slots.occupy(peripheral, at: loop.now)
    }

    /// Learns from a connect that has succeeded.
    func connected(_ peripheral: Address) {
        estimate.connected(peripheral, as: usedCount)
    }

    /// Learns from a connect that was refused, and whose slot is still taken.
    func refused(_ peripheral: Address) {
        estimate.refused(peripheral, with: usedCount - 1, at: loop.now)
    }

    /// The adapter has gone.
    func close() {
        timer?.cancel()
        lane.close()
        let waiting = waiters.values
        waiters = [:]
        for waiter in waiting { waiter.resume(returning: false) }
    }

    /// Changes something about the slots, and does what follows from it.
    private func change(_ body: (inout ConnectionSlots, Instant) -> [ConnectionSlots.Decision]) {
        let now = loop.now
        slots.capacity = capacity
        let decisions = body(&slots, now)
        timer?.cancel()
        timer = slots.nextDecision(after: now).map { next in
            loop.schedule(after: next - now) { [weak self] in self?.change { $0.decide(at: $1) } }
        }
        for decision in decisions {
            switch decision {
            case .grant(let peripheral): waiters.removeValue(forKey: peripheral)?.resume(returning: true)
            case .recall(let peripheral): recall(peripheral)
            }
        }
    }
}
