import Bluetooth
import DBus
import EventLoop
import System

/// Makes and ends connections: manages the slots of the adapters, the turns of the peripherals and the attempts.
final class Connector: LoopPart {
    let slots: SlotTable
    let bluetoothd: Bluetoothd
    let scanner: Scanner
    let repairer: Repairer
    let bonds: Bonds
    let loop: EventLoop
    /// Returns the peripheral with an address.
    private let peripheral: (Address) -> Peripheral?
    /// The attempts that are under way.
    private var attempts: [Address: ConnectionAttempt] = [:]
    /// When an attempt to connect to a peripheral was cancelled; bluetoothd may still complete it.
    private var cancelledAttempts: [Address: Instant] = [:]
    /// Peripherals that connected after their attempt was cancelled; they are being disconnected.
    private var unwantedConnections: Set<Address> = []

    /// - Parameters:
    ///   - bluetoothd: The state and the objects of bluetoothd.
    ///   - scanner: The scanner of all adapters.
    ///   - repairer: The repairer, to which failed and successful attempts are reported.
    ///   - bonds: The bonds and pairings.
    ///   - capacity: The number of slots per adapter; nil: it is estimated.
    ///   - loop: The event loop of the timers.
    ///   - peripheral: Returns the peripheral with an address.
    init(
        _ bluetoothd: Bluetoothd, _ scanner: Scanner, _ repairer: Repairer, _ bonds: Bonds, capacity: Int?,
        loop: EventLoop, peripheral: @escaping (Address) -> Peripheral?
    ) {
        self.bluetoothd = bluetoothd
        self.scanner = scanner
        self.repairer = repairer
        self.bonds = bonds
        self.loop = loop
        self.peripheral = peripheral
        slots = SlotTable(capacity: capacity, loop: loop)
        slots.onRecall { address, other in
            peripheral(address)?.assumeIsolated { $0.emit(.slotRecalled(for: other)) }
        }
        slots.onInterrupt { [unowned self] in interruptAttempt(of: $0) }
        repairer.askForConnections { [slots] adapter in
            slots[adapter].map { $0.usedCount > 0 } ?? false
        }
    }

    // MARK: Connecting

    /// Connects to a peripheral; see `Central.connect`.
    func connect(
        _ peripheral: Peripheral, _ priority: ConnectionPriority, within limit: Duration
    ) async throws(CentralError) {
        let address = peripheral.address
        let object = address.description
        if await peripheral.isConnected {
            guard unwantedConnections.contains(address) else { return }
            try await cancelConnection(peripheral)
        }
        guard attempts[address] == nil else {
            throw CentralError(.inProgress, object, "connect: already connecting")
        }
        if let obstacle = obstacle(to: peripheral) {
            throw CentralError(.failed, object, "connect: \(obstacle)")
        }
        defer { attemptEnded(of: peripheral) }
        var attempt = try await attemptWithSlot(peripheral, priority)
        let count = await peripheral.connectionCount
        do throws(CentralError) {
            while try await !takeTurns(peripheral, attempt, limit) {
                releaseSlot(of: address)
                releaseRoute(of: peripheral)
                attempt = try await attemptWithSlot(peripheral, priority)
            }
            let connections = attempt.connections
            connections.connected(address)
            await peripheral.connectionSucceeded()
            if let adapter = await peripheral.adapterPath { repairer.connectSucceeded(address, by: adapter) }
        } catch {
            if error.code == .connectionFailed { attempt.connections.refused(address) }
            if error.code == .connectionFailed || error.code == .connectionTimeout { await peripheral.routeFailed() }
            if await !peripheral.isConnected { releaseSlot(of: address) }
            let error = await peripheral.diagnose(error, connectionsBefore: count)
            await repairer.connectFailed(peripheral, error)
            throw error
        }
    }

    /// Returns the reason why a peripheral cannot be connected although Bluetooth is on; nil: there is no such reason.
    func obstacle(to peripheral: Peripheral) -> String? {
        let (isBlocked, isBonded, path) = peripheral.assumeIsolated { ($0.isBlocked, $0.isBonded, $0.adapterPath) }
        // bluetoothd would connect, but not discover the services (src/device.c).
        if isBlocked { return "the peripheral is blocked: bluetoothctl unblock \(peripheral.address)" }
        guard isBonded, let adapter = path.flatMap({ bluetoothd.adapters[$0] }), !adapter.isPowered else { return nil }
        let remedy = adapter.obstacle ?? "off: bluetoothctl select \(adapter.address), then power on"
        return "the peripheral is bonded with \(adapter.name) (\(adapter.address)), which is \(remedy)"
    }

    /// Waits for a slot of the best adapter for the peripheral, or of another adapter that has a free slot sooner.
    private func attemptWithSlot(
        _ peripheral: Peripheral, _ priority: ConnectionPriority
    ) async throws(CentralError) -> ConnectionAttempt {
        let object = peripheral.address.description
        var hasWaited = false
        while true {
            guard let attempt = beginAttempt(peripheral) else {
                throw CentralError(.notFound, object, "connect: the peripheral has not been seen")
            }
            if await acquireSlot(of: attempt.connections, for: peripheral, priority, &hasWaited) { return attempt }
            guard attempt.isMoved, !attempt.isCancelled else { throw cancellation(of: peripheral.address) }
            releaseRoute(of: peripheral)
        }
    }

    /// Chooses the adapter and begins an attempt; nil: no adapter has seen the peripheral.
    private func beginAttempt(_ peripheral: Peripheral) -> ConnectionAttempt? {
        let full = slots.fullAdapters
        let (adapter, isPrivate) = peripheral.assumeIsolated { peripheral in
            peripheral.holdRoute(avoiding: full)
            return (peripheral.adapterPath, peripheral.hasPrivateAddress)
        }
        let attempt = adapter.flatMap { slots[$0] }.map { ConnectionAttempt($0) }
        // Without a scan, bluetoothd at once deletes the object of a peripheral with a private address.
        scanner.hold(attempt != nil && isPrivate, for: peripheral.address)
        attempts[peripheral.address] = attempt
        return attempt
    }

    /// Waits for a slot of an adapter.
    ///
    /// - Parameters:
    ///   - connections: The connections of the adapter.
    ///   - peripheral: The peripheral that needs the slot.
    ///   - priority: How urgent the connection is, compared to others.
    ///   - hasWaited: Whether `waitingForSlot` was reported, also for another adapter.
    /// - Returns: Whether the peripheral has a slot; false if the wait was ended or the adapter is gone.
    private func acquireSlot(
        of connections: AdapterConnections, for peripheral: Peripheral, _ priority: ConnectionPriority,
        _ hasWaited: inout Bool
    ) async -> Bool {
        slots.assign(peripheral.address, to: connections)
        let isGranted = await connections.acquire(peripheral.address, priority) {
            hasWaited = true
            emit(.waitingForSlot(used: connections.capacity ?? connections.usedCount), of: peripheral.address)
        }
        if hasWaited && isGranted { emit(.slotGranted, of: peripheral.address) }
        return isGranted
    }

    func emit(_ event: PeripheralEvent, of address: Address) {
        peripheral(address)?.assumeIsolated { $0.emit(event) }
    }

    private func attemptEnded(of peripheral: Peripheral) {
        releaseRoute(of: peripheral)
        attempts[peripheral.address] = nil
        scanner.release(peripheral.address)
        // If the connection ended during the attempt, the slot was kept for the attempt.
        if peripheral.assumeIsolated({ !$0.isConnected }) { releaseSlot(of: peripheral.address) }
    }

    private func releaseRoute(of peripheral: Peripheral) {
        peripheral.assumeIsolated { $0.releaseRoute() }
    }

    func cancellation(of address: Address) -> CentralError {
        CentralError(.cancelled, address.description, "connect: cancelled")
    }

    // MARK: Slots

    /// Frees the slot of a peripheral, or ends its wait for a slot, and offers free slots to peripherals that wait for
    /// another adapter.
    func releaseSlot(of address: Address) {
        guard let connections = slots.release(address), let offer = slots.candidates(for: connections) else { return }
        for waiting in offer.peripherals where canMove(waiting, to: offer.adapter) { move(waiting) }
    }

    /// How long one adapter may fail to connect while another adapter sees the peripheral.
    private static let longestFutileTurn = Duration.seconds(5)

    /// Notes that an adapter sees a peripheral that is being connected through another adapter.
    func alsoSeen(_ address: Address, by adapter: String) {
        if let attempt = attempts[address], attempt.isPending, !attempt.isInterrupted,
            let start = attempt.turnStart, loop.now - start > Self.longestFutileTurn,
            peripheral(address)?.assumeIsolated({ $0.hasBetterRoute }) == true
        {
            return interruptAttempt(of: address)
        }
        guard let current = slots.connections(of: address), current.isWaiting(address), let other = slots[adapter],
            other !== current, other.freeCount > 0, canMove(address, to: adapter)
        else { return }
        move(address)
    }

    /// Makes a peripheral wait for a slot of another adapter.
    private func move(_ address: Address) {
        attempts[address]?.move()
        _ = slots.release(address)
    }

    private func canMove(_ address: Address, to adapter: String) -> Bool {
        guard attempts[address] != nil, let peripheral = peripheral(address) else { return false }
        return peripheral.assumeIsolated { $0.isSeen(by: adapter) && !$0.isBonded }
    }

    /// Notes that a peripheral has connected or disconnected.
    func connectionChanged(of address: Address, isConnected: Bool, at adapter: String?) {
        if isConnected {
            attempts[address]?.connections.turns.endWait(of: address, isConnected: true)
            endIfUnwanted(address)
            // Another program has made the connection for which the peripheral waits.
            if let waiting = slots.connections(of: address), waiting.isWaiting(address) { move(address) }
            guard slots.connections(of: address) == nil, let connections = adapter.flatMap({ slots[$0] }) else {
                return
            }
            slots.assign(address, to: connections)
            connections.occupy(address)
        } else {
            unwantedConnections.remove(address)
            if attempts[address] == nil { releaseSlot(of: address) }
        }
    }

    /// How long after the cancellation of an attempt bluetoothd may still complete the connection.
    private static let longestDelay = Duration.seconds(60)

    /// Ends a connection whose attempt was cancelled before.
    private func endIfUnwanted(_ address: Address) {
        guard let end = cancelledAttempts.removeValue(forKey: address), attempts[address] == nil,
            loop.now - end < Self.longestDelay, let peripheral = peripheral(address),
            let connection = bluetoothd.connection
        else { return }
        unwantedConnections.insert(address)
        let limit = bluetoothd.disconnectTimeout
        peripheral.spawn { peripheral in
            guard let path = peripheral.path else { return }
            await RemoteObject(connection: connection, path: path, interface: BlueZName.device)
                .disconnect(timeout: limit)
        }
    }

    // MARK: Ends

    /// Ends the connection, or the attempt to make it; see `Central.cancelConnection`.
    func cancelConnection(_ peripheral: Peripheral) async throws(CentralError) {
        let address = peripheral.address
        let attempt = attempts[address]
        attempt?.cancel()
        attempt?.connections.turns.endWait(of: address, isConnected: false)
        if let connections = slots.connections(of: address), connections.isWaiting(address) {
            return releaseSlot(of: address)
        }
        guard let path = await peripheral.path, let device = bluetoothd.deviceObject(at: path) else { return }
        // bluetoothd may still complete a cancelled attempt. A second Disconnect prevents that, and a later connection
        // belongs to another program.
        let wasCancelled = cancelledAttempts.removeValue(forKey: address) != nil
        if await !peripheral.isConnected && attempt?.isPending != true && !wasCancelled { return }
        await device.disconnect(timeout: bluetoothd.disconnectTimeout)
        // bluetoothd waits 2 s for other users of the connection before it ends it (src/device.c, DISCONNECT_TIMER).
        if await peripheral.wait(for: bluetoothd.disconnectTimeout, until: { !$0.isConnected }) { return }
        await repairer.free(peripheral, reason: "the connection of the peripheral does not end")
        if await peripheral.wait(for: .seconds(1), until: { !$0.isConnected }) { return }
        throw CentralError(
            .timeout, address.description, "disconnect: still connected: sudo systemctl restart bluetooth")
    }

    /// Cancels all attempts through an adapter that is off or no longer used.
    func cancelAttempts(through adapter: String) {
        guard let connections = slots[adapter] else { return }
        for (address, attempt) in attempts where attempt.connections === connections {
            attempt.cancel()
            connections.turns.endWait(of: address, isConnected: false)
            if connections.isWaiting(address) { releaseSlot(of: address) }
        }
    }

    func isPending(_ address: Address) -> Bool {
        attempts[address]?.isPending ?? false
    }

    /// Removes the state of a peripheral, even if it is connected: the end of the connection will not be reported.
    func forget(_ address: Address) {
        releaseSlot(of: address)
        unwantedConnections.remove(address)
        cancelledAttempts[address] = nil
    }

    // MARK: Cancelled and interrupted attempts

    func attemptBegins(of address: Address) {
        cancelledAttempts[address] = nil
    }

    /// Notes that an attempt was cancelled at bluetoothd, which may still complete it.
    func attemptWasCancelled(of address: Address) {
        cancelledAttempts[address] = loop.now
    }

    /// Ends the attempt of a peripheral whose turn is over.
    private func interruptAttempt(of address: Address) {
        if attempts[address]?.interrupt() == true { spawn { await $0.endInterruptedAttempt(of: address) } }
    }

    private func endInterruptedAttempt(of address: Address) async {
        guard let peripheral = peripheral(address), let path = await peripheral.path,
            let device = bluetoothd.deviceObject(at: path), await !peripheral.isConnected,
            let attempt = attempts[address], attempt.isPending, attempt.isInterrupted
        else { return }
        await endPendingAttempt(of: peripheral, device)
    }
}
