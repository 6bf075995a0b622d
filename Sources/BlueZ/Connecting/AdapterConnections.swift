import Bluetooth
import EventLoop
import System

/// The connections through one adapter: which peripherals have a slot, and which wait for one.
final class AdapterConnections {
    /// The attempts to connect, one at a time.
    let turns: ConnectionTurnQueue
    private let loop: EventLoop
    private let recall: (_ peripheral: Address, _ other: Address) -> Void
    private var configuredCapacity: Int?
    private var estimate = CapacityEstimate()
    private var slots: ConnectionSlots
    private var waiters: [Address: CheckedContinuation<Bool, Never>] = [:]
    private var timer: Timer?
    /// The peripherals that are connected.
    private var links: Set<Address> = []

    /// - Parameters:
    ///   - capacity: The number of slots; nil: it is estimated.
    ///   - limit: The limit of an attempt to connect; nil: no limit.
    ///   - loop: The event loop of the timers.
    ///   - recall: Asks the owner of a peripheral to end its connection soon, because another peripheral waits.
    ///   - interrupt: Ends the attempt of a peripheral whose turn is over.
    init(
        capacity: Int?, limit: AttemptLimit?, loop: EventLoop, recall: @escaping (Address, Address) -> Void,
        interrupt: @escaping (Address) -> Void
    ) {
        self.loop = loop
        self.recall = recall
        configuredCapacity = capacity
        slots = ConnectionSlots(capacity: capacity)
        turns = ConnectionTurnQueue(limit: limit, loop: loop, interrupt: interrupt)
    }

    /// The number of slots in use: by connections and by attempts to connect.
    var usedCount: Int { slots.usedCount }
    /// The number of connections.
    var linkCount: Int { links.count }
    /// Returns whether an attempt to connect is useless: all slots are in use by other connections.
    func isUselessToConnect(_ peripheral: Address) -> Bool {
        !links.contains(peripheral) && capacity.map { linkCount >= $0 } ?? false
    }
    /// Whether a new connection has to wait for a slot.
    var isFull: Bool { capacity.map { usedCount >= $0 } ?? false }
    var waitingCount: Int { slots.waitingCount }
    /// The peripherals that wait for a slot, in the order of the last decision.
    var waiting: [Address] { slots.waiting }
    /// The number of free slots less the number of waiting peripherals, at least 0; `Int.max`: no limit is known.
    var freeCount: Int { capacity.map { max(0, $0 - usedCount - waitingCount) } ?? .max }
    /// The number of slots, configured or estimated; nil: no limit is known.
    var capacity: Int? { configuredCapacity ?? estimate.capacity(at: loop.now) }

    /// Sets the number of slots; nil: it is estimated.
    func configure(capacity: Int?) {
        guard configuredCapacity != capacity else { return }
        configuredCapacity = capacity
        change { $0.decide(at: $1) }
    }

    /// Waits for a slot.
    ///
    /// - Parameters:
    ///   - peripheral: The address of the peripheral that needs the slot.
    ///   - priority: How urgent the connection is, compared to others.
    ///   - announce: Called if there is no free slot.
    ///   - isolation: The actor of the caller.
    /// - Returns: Whether the peripheral has a slot; false if it was released during the wait.
    func acquire(
        _ peripheral: Address, _ priority: ConnectionPriority, announce: () -> Void,
        isolation: isolated (any Actor)? = #isolation
    ) async -> Bool {
        // The peripheral already has a slot if another program has connected it.
        if !slots.holds(peripheral) { change { $0.request(peripheral, priority, at: $1) } }
        if slots.holds(peripheral) { return true }
        announce()
        return await withCheckedContinuation { waiters[peripheral] = $0 }
    }

    /// Frees the slot of a peripheral, or ends its wait for one.
    func release(_ peripheral: Address) {
        waiters.removeValue(forKey: peripheral)?.resume(returning: false)
        links.remove(peripheral)
        change { $0.release(peripheral, at: $1) }
    }

    func isWaiting(_ peripheral: Address) -> Bool {
        waiters[peripheral] != nil
    }

    func setPriority(_ priority: ConnectionPriority, of peripheral: Address) {
        change { $0.setPriority(priority, of: peripheral, at: $1) }
    }

    /// Assigns a slot to a peripheral that is connected but has not requested a slot.
    func occupy(_ peripheral: Address) {
        links.insert(peripheral)
        slots.occupy(peripheral, at: loop.now)
    }

    /// Notes a successful connect.
    func connected(_ peripheral: Address) {
        links.insert(peripheral)
        estimate.connected(peripheral, as: linkCount)
    }

    /// Notes a failed connect for the estimate.
    func refused(_ peripheral: Address) {
        estimate.refused(peripheral, with: linkCount, at: loop.now)
    }

    /// Ends all waits, because the adapter is gone.
    func close() {
        timer?.cancel()
        turns.close()
        let waiting = waiters.values
        waiters = [:]
        for waiter in waiting { waiter.resume(returning: false) }
    }

    /// Changes the slots, and carries out the decisions that follow.
    private func change(_ body: (inout ConnectionSlots, Instant) -> [ConnectionSlots.Decision]) {
        let now = loop.now
        slots.setCapacity(capacity)
        let decisions = body(&slots, now)
        timer?.cancel()
        timer = slots.nextDecision(after: now).map { next in
            loop.schedule(after: next - now) { [weak self] in self?.change { $0.decide(at: $1) } }
        }
        for decision in decisions {
            switch decision {
            case .grant(let peripheral): waiters.removeValue(forKey: peripheral)?.resume(returning: true)
            case .recall(let peripheral, let other): recall(peripheral, other)
            }
        }
    }
}
