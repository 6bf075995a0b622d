internal import Bluetooth
internal import EventLoop

/// Each adapter's connection slots: who has one, who gets one.
extension Central {
    /// What links the adapters have, by their names.
    package var connectionUse: [ConnectionUse] {
        availableAdapters.compactMap { adapter in
            links[adapter.path].map {
                ConnectionUse(
                    adapter: adapter, connections: $0.usedCount, waiting: $0.waitingCount, capacity: $0.capacity)
            }
        }
    }

    /// Says how urgently a peripheral's link is wanted from now on, whether it has one or waits for one.
    package func setPriority(_ priority: ConnectionPriority, of peripheral: Peripheral) {
        linksByPeripheral[peripheral.address]?.setPriority(priority, of: peripheral.address)
    }

    /// Waits for a slot; false if the wait was given up or the adapter has gone.
    ///
    /// - Parameter hasWaited: whether the peripheral was told to wait, be it for a slot of another adapter.
    func acquireSlot(
        of links: AdapterLinks, for peripheral: Peripheral, _ priority: ConnectionPriority, _ hasWaited: inout Bool
    ) async -> Bool {
        linksByPeripheral[peripheral.address] = links
        let isGranted = await links.acquire(peripheral.address, priority) {
            hasWaited = true
            tell(peripheral.address, .waitingForSlot(used: links.usedCount))
        }
        if hasWaited && isGranted { tell(peripheral.address, .slotGranted) }
        return isGranted
    }

    /// Gives the slot back, or the place in the queue.
    func releaseSlot(of address: Address) {
        guard let links = linksByPeripheral.removeValue(forKey: address) else { return }
        links.release(address)
        offerSlots(of: links)
    }

    /// Lets those that wait for a slot of another adapter have the free ones of this one, if it hears them.
    private func offerSlots(of links: AdapterLinks) {
        guard self.links.count > 1, let adapter = self.links.first(where: { $0.value === links })?.key else { return }
        for other in self.links.values where other !== links {
            for address in other.waiting.prefix(links.freeCount) where canMove(address, to: adapter) {
                move(address, from: other)
            }
        }
    }

    /// How long one adapter may try in vain while another one hears the peripheral.
    private static let patience = Duration.seconds(5)

    /// An adapter other than the one that is to connect it hears a peripheral, too.
    func alsoHeard(_ address: Address, by adapter: String) {
        if let attempt = attempts[address], attempt.isPending, !attempt.isInterrupted,
            let start = attempt.turnStart, loop.now - start > Self.patience,
            peripherals[address]?.assumeIsolated({ $0.isBetterElsewhere }) == true
        {
            return interruptAttempt(of: address)
        }
        guard let current = linksByPeripheral[address], current.isWaiting(address), let links = links[adapter],
            links !== current, links.freeCount > 0, canMove(address, to: adapter)
        else { return }
        move(address, from: current)
    }

    private func move(_ address: Address, from links: AdapterLinks) {
        attempts[address]?.move()
        linksByPeripheral[address] = nil
        links.release(address)
    }

    private func canMove(_ address: Address, to adapter: String) -> Bool {
        guard attempts[address] != nil, let peripheral = peripherals[address] else { return false }
        return peripheral.assumeIsolated { $0.isHeard(by: adapter) && !$0.isBonded }
    }

    /// A peripheral's link has come up or gone down.
    func linkChanged(of address: Address, isUp: Bool, at adapter: String?) {
        linkHandler?()
        if isUp {
            attempts[address]?.links.lane.endWait(of: address, isConnected: true)
            chase(address)
            // Somebody else has made the link for which it waits.
            if let waiting = linksByPeripheral[address], waiting.isWaiting(address) { move(address, from: waiting) }
            guard linksByPeripheral[address] == nil, let links = adapter.flatMap({ links[$0] }) else { return }
            linksByPeripheral[address] = links
            links.occupy(address)
        } else {
            chased.remove(address)
            if attempts[address] == nil { releaseSlot(of: address) }
        }
    }

    /// Ends a link that comes of an attempt that had been ended before.
    private func chase(_ address: Address) {
        guard let end = endedAttempts.removeValue(forKey: address), attempts[address] == nil,
            loop.now - end < .seconds(60),
            let peripheral = peripherals[address], let connection
        else { return }
        chased.insert(address)
        Task(executorPreference: loop.tasks) {
            if let path = await peripheral.path { await self.disconnect(path, connection) }
        }
    }

    /// The adapter has gone, and all that was to go over it.
    func closeLinks(of adapter: String) {
        guard let links = links.removeValue(forKey: adapter) else { return }
        linksByPeripheral = linksByPeripheral.filter { $0.value !== links }
        links.close()
    }

    func openLinks(of adapter: String) {
        // One that does not tell its version may be an early one as well.
        let limit = adapters[adapter]?.bluetoothd?.survivesLongAttempts == true ? nil : AttemptLimit.early
        links[adapter] = AdapterLinks(capacity: capacity, limit: limit, loop: loop) { [weak self] address in
            self?.assumeIsolated { $0.tell(address, .slotRecalled) }
        } interrupt: { [weak self] address in
            self?.assumeIsolated { $0.interruptAttempt(of: address) }
        }
    }

    private func tell(_ address: Address, _ event: PeripheralEvent) {
        peripherals[address]?.assumeIsolated { $0.emit(event) }
    }
}
