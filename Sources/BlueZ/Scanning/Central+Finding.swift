package import Bluetooth
internal import EventLoop

/// Peripherals that somebody needs just once.
extension Central {
    /// Scans until a peripheral has been heard, and can be connected to.
    ///
    /// One whose link is up is found at once: it may well have stopped advertising.
    ///
    /// - Throws: `CentralError`: `notFound` when it was not heard within `limit`, `unavailable`.
    package func find(_ peripheral: Peripheral, within limit: Duration) async throws(CentralError) {
        let object = peripheral.address.description
        guard state == .poweredOn else { throw CentralError(.unavailable, object, "look for it: \(reason)") }
        if await peripheral.isReachable(within: .seconds(30)) { return }
        finderCount += 1
        scanSoon()
        defer { stopFindingSoon(peripheral) }
        let start = loop.now
        guard await peripheral.wait(for: limit, until: { $0.isReachable(since: start) }) else {
            throw CentralError(
                .notFound, object,
                """
                not heard within \(limit.components.seconds) s: it must be near and switched on, and advertise; while \
                another device is connected to it, most do not
                """)
        }
    }

    private func removeTraces(of peripheral: Peripheral) {
        let traces = peripheral.assumeIsolated { $0.traces }
        guard !traces.isEmpty else { return }
        Task(executorPreference: loop.tasks) {
            for route in traces {
                do throws(CentralError) {
                    try await self.remove(peripheral, by: route, doing: "forget")
                } catch {
                    // It stays on bluetoothd's list, and hurts nobody there.
                }
            }
        }
    }

    /// Stops when whoever has looked for it has had time to connect to it: without a scan bluetoothd forgets those whose
    /// address is private.
    private func stopFindingSoon(_ peripheral: Peripheral) {
        guard peripheral.assumeIsolated({ $0.isFleeting && $0.path != nil }) else { return stopFinding() }
        loop.schedule(after: .seconds(1)) { [weak self] in
            self?.assumeIsolated { $0.stopFinding() }
        }
    }

    private func stopFinding() {
        finderCount -= 1
        scanSoon()
    }

    /// Lets go of a peripheral that nobody cares for any more; its link must be down.
    ///
    /// bluetoothd keeps files of each device that was ever connected, for ever: those of one without a bond are removed.
    package func forget(_ address: Address) {
        guard let peripheral = peripherals[address] else { return }
        stopSeeking(peripheral)
        // Where its link is up all the same, nobody would hear of its end.
        releaseSlot(of: address)
        chased.remove(address)
        endedAttempts[address] = nil
        removeTraces(of: peripheral)
        peripherals[address] = nil
        peripheralsByPath.removeAll { $1 === peripheral }
        guard let identity = peripheral.assumeIsolated({ $0.identity }) else { return }
        identities[identity] = nil
        // Somebody may care for it by its other address.
        if peripherals[identity] != nil { retrieveSoon() }
    }
}

extension Peripheral {
    /// Where bluetoothd keeps something of it only because it was connected here: nothing that anybody has asked for.
    fileprivate var traces: [Routes.Route] {
        isConnected || linkCount == 0 ? [] : routes.all.filter { !$0.isBonded && !$0.isTrusted && !$0.isBlocked }
    }

    fileprivate func isReachable(since start: Instant) -> Bool {
        path != nil && (isConnected || lastHeard.map { $0 >= start } ?? false)
    }
}
