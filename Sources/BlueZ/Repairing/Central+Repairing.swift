internal import Bluetooth
internal import DBus
internal import EventLoop

/// What is done about adapters and peripherals that are stuck.
extension Central {
    /// Calls `handler`, on the loop, with each repair, the adapter and the reason.
    package func onRepair(_ handler: @escaping @Sendable (Repair, Adapter, _ reason: String) -> Void) {
        repairHandler = handler
    }

    /// Tells of a repair, and carries it out.
    func repair(_ adapter: Adapter, by repair: Repair, _ reason: String) async {
        repairHandler?(repair, adapter, reason)
        switch repair {
        case .restartScan: await restartScan(of: adapter.path)
        case .removeDevice(let address): await removeDevice(address, of: adapter.path)
        case .powerCycle: await cyclePower(of: adapter)
        }
    }

    /// Does what can be done about a peripheral of which something is stuck.
    func free(_ peripheral: Peripheral, _ reason: String) async {
        guard let path = await peripheral.adapterPath, let adapter = adapters[path] else { return }
        let isInUse = hasLinks(path, besides: peripheral.address)
        let repair = await ladders[path, default: RepairLadder()].stuck(
            peripheral.address, isBonded: peripheral.isBonded, isInUse: isInUse, at: loop.now)
        if let repair { await self.repair(adapter, by: repair, reason) }
    }

    /// Takes note of a connect that failed.
    func connectFailed(_ peripheral: Peripheral, _ error: CentralError) async {
        guard error.code == .connectionFailed || error.code == .connectionTimeout,
            let path = await peripheral.adapterPath, let adapter = adapters[path]
        else { return }
        let isInUse = hasLinks(path, besides: peripheral.address)
        let repair = ladders[path, default: RepairLadder()].failed(peripheral.address, isInUse: isInUse, at: loop.now)
        if let repair { await self.repair(adapter, by: repair, "no peripheral can be connected any more") }
    }

    private func hasLinks(_ adapter: String, besides address: Address) -> Bool {
        peripherals.values.contains { peripheral in
            peripheral.address != address
                && peripheral.assumeIsolated { $0.isConnected && $0.adapterPath == adapter }
        }
    }

    // MARK: Each repair

    private func restartScan(of path: String) async {
        await whileNobodyScans(on: path) { connection throws(DBusError) in
            try await callAdapter("StopDiscovery", path, [], connection)
            try await startDiscovery(on: path, scans[path] ?? .changes, connection)
        }
    }

    private func cyclePower(of adapter: Adapter) async {
        await whileNobodyScans(on: adapter.path) { connection throws(DBusError) in
            try await cyclePower(of: adapter, connection)
        }
    }

    /// Carries out a repair while nobody else starts or stops a scan.
    private func whileNobodyScans(
        on path: String, _ body: (Connection) async throws(DBusError) -> Void
    ) async {
        guard let connection, !isAdjustingScan else { return }
        isAdjustingScan = true
        do throws(DBusError) {
            try await body(connection)
        } catch {
            // The scan counts as ended, and is started again below.
            scanEnded(on: path)
        }
        isAdjustingScan = false
        scanSoon()
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
