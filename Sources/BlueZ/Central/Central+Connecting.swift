package import Bluetooth
import DBus
import EventLoop

/// Connections, bonds and repairs.
extension Central {
    /// Connects to a peripheral that has been seen.
    ///
    /// An existing connection is used as it is.
    ///
    /// If the adapter has no free slot, the call first waits for one without a time limit. Then it waits for its turn:
    /// connections are made one at a time. Transient errors are retried at once, a few times, within `limit`.
    ///
    /// - Parameters:
    ///   - peripheral: The peripheral.
    ///   - priority: How urgent the connection is, compared to others.
    ///   - limit: How long to try, without the waits for the slot and the turn.
    /// - Throws: `CentralError`: `notFound` if bluetoothd has no object for the peripheral: scan for the peripheral
    ///   again; `timeout` if an earlier, unwanted connection does not end.
    package func connect(
        _ peripheral: Peripheral, priority: ConnectionPriority = .background, within limit: Duration = .seconds(20)
    ) async throws(CentralError) {
        guard state == .poweredOn else {
            throw CentralError(.unavailable, peripheral.address.description, "connect: \(reason)")
        }
        try await connector.connect(peripheral, priority, within: limit)
    }

    /// Ends the connection or the attempt to connect, and returns when the connection is down.
    ///
    /// - Throws: `CentralError` `timeout` if bluetoothd does not end the connection.
    package func cancelConnection(_ peripheral: Peripheral) async throws(CentralError) {
        try await connector.cancelConnection(peripheral)
    }

    /// Returns the reason why a peripheral cannot be connected although Bluetooth is on; nil: there is no such reason.
    package func obstacle(to peripheral: Peripheral) -> String? {
        connector.obstacle(to: peripheral)
    }

    /// The number of connections, waiting peripherals and slots of each available adapter.
    package var connectionUse: [ConnectionUse] {
        availableAdapters.compactMap { connector.slots.use(of: $0) }
    }

    /// Sets how urgent the connection is for a peripheral that has a slot or waits for one.
    package func setPriority(_ priority: ConnectionPriority, of peripheral: Peripheral) {
        connector.slots.connections(of: peripheral.address)?.setPriority(priority, of: peripheral.address)
    }

    /// Uses other adapters, or another number of connections, from now on.
    ///
    /// Connections through adapters that are no longer used are ended; all other connections stay.
    ///
    /// - Parameters:
    ///   - addresses: The adapters to use; nil: all.
    ///   - connections: The number of connections per adapter; nil: it is estimated.
    package func use(_ addresses: [Address]?, connections: Int?) async {
        connector.slots.configure(capacity: connections)
        guard addresses != bluetoothd.allowedAddresses else { return }
        bluetoothd.allow(addresses)
        for adapter in bluetoothd.adapters.values where !bluetoothd.isAllowed(adapter.address) { await leave(adapter) }
        // bluetoothd's objects include the adapters that may be used from now on.
        if bluetoothd.isPresent { await serviceAppeared() }
    }

    private func leave(_ adapter: Adapter) async {
        guard let connection = bluetoothd.connection else { return }
        let paths = registry.all.compactMap { peripheral in
            let isPending = connector.isPending(peripheral.address)
            return peripheral.assumeIsolated {
                $0.adapterPath == adapter.path && ($0.isConnected || isPending) ? $0.path : nil
            }
        }
        let isScanning = scanner.isScanning(on: adapter.path)
        connector.cancelAttempts(through: adapter.path)
        // The adapter is removed before the first suspension, so that no new attempt uses it.
        adapterRemoved(at: adapter.path)
        for path in paths {
            await RemoteObject(connection: connection, path: path, interface: BlueZName.device)
                .disconnect(timeout: bluetoothd.disconnectTimeout)
        }
        if isScanning {
            do throws(DBusError) {
                try await RemoteObject(connection: connection, path: adapter.path, interface: BlueZName.adapter)
                    .call("StopDiscovery")
            } catch {
                // There is no scan to stop.
            }
        }
        await leavePowered(adapter, connection)
    }

    // MARK: Bonds

    /// Connects to a peripheral that has been seen, and pairs with it; the connection stays.
    ///
    /// An existing bond is not changed.
    ///
    /// - Parameters:
    ///   - peripheral: The peripheral.
    ///   - answers: The answers to the questions of the pairing.
    ///   - limit: How long the pairing may take, without the connect and the wait for other pairings.
    /// - Returns: Whether a question was asked during the pairing; true if there was a bond already.
    /// - Throws: `CentralError`: `pairingFailed` if one of the sides rejects the pairing or has the wrong passkey;
    ///   `timeout`; the errors of `connect`.
    @discardableResult
    package func pair(
        _ peripheral: Peripheral, with answers: PairingAnswers = PairingAnswers(), within limit: Duration = .seconds(60)
    ) async throws(CentralError) -> Bool {
        var wasAsked = true
        try await bonds.expecting(peripheral.address, answers) { () async throws(CentralError) in
            try await connect(peripheral, priority: .command)
            wasAsked = try await bonds.pair(peripheral, with: answers, within: limit)
        }
        return wasAsked
    }

    /// Returns whether pairing with these answers requires a new connection.
    package func needsNewLink(_ peripheral: Peripheral, toPairWith answers: PairingAnswers) async -> Bool {
        await bonds.needsNewConnection(peripheral, toPairWith: answers)
    }

    /// Ends the connection to a peripheral, and makes bluetoothd delete the bond and all other data of the peripheral.
    ///
    /// - Throws: `CentralError`: `notFound` if there is no bond; `timeout` if the connection does not end.
    package func unpair(_ peripheral: Peripheral) async throws(CentralError) {
        let object = peripheral.address.description
        guard state == .poweredOn else { throw CentralError(.unavailable, object, "unpair: \(reason)") }
        // The peripheral need not have been seen: bluetoothd lists all bonded devices.
        if await peripheral.path == nil { await retrieve() }
        let routes = await peripheral.routes.filter(\.isBonded)
        guard !routes.isEmpty else { throw CentralError(.notFound, object, "unpair: there is no bond") }
        try await cancelConnection(peripheral)
        await peripheral.bondEnds()
        for route in routes { try await remove(peripheral, by: route, doing: "unpair") }
    }

    /// Sets the answers for a peripheral that may request a bond at any time; nil: the answers are removed.
    ///
    /// bluetoothd may also create the bond by itself, if a value requires a bond.
    package func expectBond(with peripheral: Peripheral, _ answers: PairingAnswers?) {
        bonds.expect(peripheral.address, answers)
    }

    // MARK: Repairs

    /// Calls `handler` on the loop with each repair, the adapter and the reason.
    package func onRepair(_ handler: @escaping @Sendable (Repair, Adapter, _ reason: String) -> Void) {
        repairer.onRepair(handler)
    }

    /// Ends the connection and makes bluetoothd delete the peripheral with its cached services.
    ///
    /// Afterwards, the peripheral must be scanned for again. bluetoothd keeps services from one connection to the next.
    /// If a peripheral cannot report a change, its cached services become outdated, for example after a firmware
    /// update. With a bond, only the connection is ended, because the bond would be deleted too.
    ///
    /// - Throws: `CentralError` `timeout` if bluetoothd does not end the connection.
    package func clearCache(of peripheral: Peripheral) async throws(CentralError) {
        try await cancelConnection(peripheral)
        guard await !peripheral.isBonded else { return }
        guard let path = await peripheral.path, let route = await peripheral.routes.first(where: { $0.path == path })
        else { return }
        try await remove(peripheral, by: route, doing: "clear the cache")
    }

    /// Makes bluetoothd delete the objects that it keeps only because the gateway connected to the peripheral.
    func removeTraces(of peripheral: Peripheral) {
        let traces = peripheral.assumeIsolated { $0.traces }
        guard !traces.isEmpty else { return }
        spawn { central in
            for route in traces {
                do throws(CentralError) {
                    try await central.remove(peripheral, by: route, doing: "forget")
                } catch {
                    // The device stays in bluetoothd's list, which does no harm.
                }
            }
        }
    }

    /// Makes bluetoothd delete a peripheral from one of its adapters.
    private func remove(
        _ peripheral: Peripheral, by route: Routes.Route, doing action: String
    ) async throws(CentralError) {
        do throws(DBusError) {
            try await bluetoothd.removeDevice(at: route.path, of: route.adapter)
        } catch {
            // bluetoothd has already deleted the device.
            guard error.name != BlueZError.doesNotExist else { return }
            throw CentralError(error, peripheral.address.description, doing: action)
        }
    }
}
