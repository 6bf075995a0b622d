import Bluetooth
import EventLoop

/// The number of connections of an adapter, and the demand for more.
package struct ConnectionUse: Hashable, Sendable {
    package let adapter: Adapter
    /// The number of connections that exist.
    package let connections: Int
    /// The number of peripherals that wait for a slot.
    package let waiting: Int
    /// The number of slots; nil: no limit is known.
    package let capacity: Int?
    /// Whether a new connection has to wait for a slot, because all are in use by connections or attempts to connect.
    package let isFull: Bool
}

/// The slots of all adapters, and the adapter that each peripheral uses or waits for.
final class SlotTable {
    private let loop: EventLoop
    private var recallHandler: ((_ peripheral: Address, _ other: Address) -> Void)?
    private var interruptHandler: ((Address) -> Void)?
    /// The configured number of slots per adapter; nil: it is estimated.
    private var capacity: Int?
    /// The connections of each adapter, by the adapter's path.
    private var adapters: [String: AdapterConnections] = [:]
    /// The connections of the adapter that a peripheral uses or waits for, by the peripheral's address.
    private var peripherals: [Address: AdapterConnections] = [:]

    /// - Parameters:
    ///   - capacity: The number of slots per adapter; nil: it is estimated.
    ///   - loop: The event loop of the timers.
    init(capacity: Int?, loop: EventLoop) {
        self.capacity = capacity
        self.loop = loop
    }

    /// Calls `handler` with each peripheral whose connection should end soon, and with the peripheral that waits for the
    /// slot.
    func onRecall(_ handler: @escaping (_ peripheral: Address, _ other: Address) -> Void) {
        recallHandler = handler
    }

    /// Calls `handler` with each peripheral whose turn is over, and whose attempt must end.
    func onInterrupt(_ handler: @escaping (Address) -> Void) {
        interruptHandler = handler
    }

    // MARK: Adapters

    subscript(adapter: String) -> AdapterConnections? { adapters[adapter] }

    /// The paths of the adapters without a free slot.
    var fullAdapters: Set<String> { Set(adapters.filter(\.value.isFull).keys) }

    func open(_ adapter: Adapter) {
        // If the version of bluetoothd is not reported, it may be an early version.
        let limit = adapter.bluetoothd?.survivesLongAttempts == true ? nil : AttemptLimit.early
        adapters[adapter.path] = AdapterConnections(
            capacity: capacity, limit: limit, loop: loop,
            recall: { [weak self] in self?.recallHandler?($0, $1) },
            interrupt: { [weak self] in self?.interruptHandler?($0) }
        )
    }

    func close(_ adapter: String) {
        guard let connections = adapters.removeValue(forKey: adapter) else { return }
        peripherals = peripherals.filter { $0.value !== connections }
        connections.close()
    }

    func closeAll() {
        for adapter in adapters.keys { close(adapter) }
    }

    /// Sets the number of slots per adapter; nil: it is estimated.
    func configure(capacity: Int?) {
        self.capacity = capacity
        for connections in adapters.values { connections.configure(capacity: capacity) }
    }

    func use(of adapter: Adapter) -> ConnectionUse? {
        adapters[adapter.path].map {
            ConnectionUse(
                adapter: adapter, connections: $0.linkCount, waiting: $0.waitingCount, capacity: $0.capacity,
                isFull: $0.isFull)
        }
    }

    // MARK: Peripherals

    /// Returns the connections of the adapter that a peripheral uses or waits for; nil: there is none.
    func connections(of peripheral: Address) -> AdapterConnections? {
        peripherals[peripheral]
    }

    func assign(_ peripheral: Address, to connections: AdapterConnections) {
        peripherals[peripheral] = connections
    }

    /// Frees the slot of a peripheral, or ends its wait for a slot.
    ///
    /// - Returns: The connections of the adapter; nil if the peripheral neither had a slot nor waited for one.
    func release(_ peripheral: Address) -> AdapterConnections? {
        let connections = peripherals.removeValue(forKey: peripheral)
        connections?.release(peripheral)
        return connections
    }

    /// Returns the path of an adapter and the peripherals that wait for slots of other adapters; nil: there is no other
    /// adapter.
    ///
    /// The number of peripherals from each other adapter is at most the number of free slots.
    func candidates(for connections: AdapterConnections) -> (adapter: String, peripherals: [Address])? {
        guard adapters.count > 1, let adapter = adapters.first(where: { $0.value === connections })?.key else {
            return nil
        }
        let waiting = adapters.values.filter { $0 !== connections }
            .flatMap { $0.waiting.prefix(connections.freeCount) }
        return (adapter, waiting)
    }
}
