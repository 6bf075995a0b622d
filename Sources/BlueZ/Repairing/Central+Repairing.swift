internal import Bluetooth
internal import DBus
internal import EventLoop

/// What is done about adapters and peripherals that are stuck.
extension Central {
    /// Calls `handler`, on the loop, with each repair, the adapter and the reason.
    package func onRepair(_ handler: @escaping @Sendable (Repair, Adapter, _ reason: String) -> Void) {
        repairHandler = handler
    }

    /// Carries out a repair, and tells of it.
    ///
    /// - Parameter device: the path of the one whose link may be cut off.
    func repair(_ adapter: Adapter, by repair: Repair, sparing device: String? = nil, _ reason: String) async {
        let announce = { self.repairHandler?(repair, adapter, reason) }
        switch repair {
        case .restartScan:
            await whileNobodyScans(on: adapter.path) { connection throws(DBusError) in
                announce()
                try await restartScan(of: adapter.path, connection)
            }
        case .removeDevice(let address):
            announce()
            await removeDevice(address, of: adapter.path)
        case .powerCycle:
            await whileNobodyScans(on: adapter.path) { connection throws(DBusError) in
                // There may be a link by now.
                guard await !isInUse(adapter.path, besides: device) else { return }
                announce()
                try await cyclePower(of: adapter, connection)
            }
        }
    }

    /// Does what can be done about a peripheral of which something is stuck.
    func free(_ peripheral: Peripheral, _ reason: String) async {
        guard !isClosing, let path = await peripheral.adapterPath, let adapter = adapters[path] else { return }
        let device = await peripheral.path
        let isInUse = await isInUse(path, besides: device)
        let repair = await ladders[path, default: RepairLadder()].stuck(
            peripheral.address, isBonded: peripheral.isBonded, isInUse: isInUse, at: loop.now)
        if let repair { await self.repair(adapter, by: repair, sparing: device, reason) }
    }

    /// Takes note of a connect that failed.
    func connectFailed(_ peripheral: Peripheral, _ error: CentralError) async {
        guard error.code == .connectionFailed || error.code == .connectionTimeout,
            let path = await peripheral.adapterPath, let adapter = adapters[path]
        else { return }
        let device = await peripheral.path
        // bluetoothd is asked only if its answer decides something.
        var trial = ladders[path, default: RepairLadder()]
        let isInUse =
            trial.failed(peripheral.address, isInUse: false, at: loop.now) == nil
            ? false : await isInUse(path, besides: device)
        let repair = ladders[path, default: RepairLadder()].failed(peripheral.address, isInUse: isInUse, at: loop.now)
        guard let repair else { return }
        await self.repair(adapter, by: repair, sparing: device, "no peripheral can be connected any more")
    }

    /// Whether an adapter has links, whoever has made them: to a keyboard, say.
    ///
    /// - Parameter device: the path of one that does not count.
    func isInUse(_ adapter: String, besides device: String? = nil) async -> Bool {
        guard let connection else { return false }
        do throws(DBusError) {
            return try await Peripheral.managedObjects(connection).contains { path, interfaces in
                path != device && path.hasPrefix(adapter + "/")
                    && interfaces.dictionary?[BlueZName.device]?.dictionary?["Connected"]?.boolean == true
            }
        } catch {
            // Nobody's link is cut off unseen.
            return true
        }
    }

    // MARK: Each repair

    private func restartScan(of path: String, _ connection: Connection) async throws(DBusError) {
        try await callAdapter("StopDiscovery", path, [], connection)
        try await startDiscovery(on: path, scans[path] ?? .changes, connection)
    }

    /// Carries out a repair of an adapter that is on, while nobody else starts or stops a scan.
    private func whileNobodyScans(
        on path: String, _ body: (Connection) async throws(DBusError) -> Void
    ) async {
        await scanTurn.enter()
        defer {
            scanTurn.leave()
            scanSoon()
        }
        guard let connection, adapters[path]?.isPowered == true else { return }
        do throws(DBusError) {
            try await body(connection)
        } catch {
            // The scan counts as ended, and is started again.
            scanEnded(on: path)
        }
    }

    private func removeDevice(_ address: Address, of adapter: String) async {
        guard let connection, let path = await peripherals[address]?.path else { return }
        do throws(DBusError) {
            try await removeDevice(at: path, of: adapter, connection)
        } catch {
            // Whether the device has gone shows in bluetoothd's signals; if not, the next repair is another one.
        }
    }

    func removeDevice(at path: String, of adapter: String, _ connection: Connection) async throws(DBusError) {
        let call = try Message(
            call: "RemoveDevice", on: BlueZName.adapter, at: adapter, of: BlueZName.service, [.objectPath(path)])
        _ = try await connection.call(call, timeout: endLimit)
    }
}
