internal import Bluetooth
internal import DBus
internal import EventLoop

/// One scan for everybody, and only while something is looked for.
extension Central {
    /// Scans until `stopSeeking`, so that the peripheral is heard.
    package func seek(_ peripheral: Peripheral) {
        sought.insert(peripheral.address)
        scanSoon()
    }

    package func stopSeeking(_ peripheral: Peripheral) {
        guard sought.remove(peripheral.address) != nil else { return }
        scanSoon()
    }

    func scanSoon() {
        Task(executorPreference: loop.tasks) { await self.adjustScan() }
    }

    /// Starts or stops the scan on each adapter until it is as it is wanted.
    func adjustScan() async {
        // One at a time: a second start or stop while one is under way is an error to bluetoothd.
        guard !isAdjustingScan else { return }
        isAdjustingScan = true
        defer { isAdjustingScan = false }
        while let connection, let adapter = adapters.values.first(where: needsAdjusting) {
            let isWanted = isScanWanted
            do throws(DBusError) {
                if isWanted {
                    try await startDiscovery(on: adapter.path, connection)
                    scanning.insert(adapter.path)
                    startWatchdog(of: adapter.path)
                } else {
                    scanEnded(on: adapter.path)
                    try await callAdapter("StopDiscovery", adapter.path, [], connection)
                }
            } catch {
                // A stop that fails has nothing to stop; a start is tried again.
                if isWanted {
                    loop.schedule(after: .seconds(1)) { [unowned self] in scanSoon() }
                    return
                }
            }
        }
    }

    func scanEnded(on adapter: String) {
        scanning.remove(adapter)
        stopWatchdog(of: adapter)
    }

    private func needsAdjusting(_ adapter: Adapter) -> Bool {
        adapter.isPowered && adapter.isCentral && scanning.contains(adapter.path) != isScanWanted
    }

    func startDiscovery(on path: String, _ connection: Connection) async throws(DBusError) {
        // From 5.82 on a filter with nothing but the transport counts as none on an adapter that is LE only, and then
        // devices that are not discoverable stay hidden; hence the duplicates.
        let filter: [String: Variant] = ["Transport": .string("le"), "DuplicateData": .boolean(true)]
        try await callAdapter("SetDiscoveryFilter", path, [.properties(filter)], connection)
        do {
            try await callAdapter("StartDiscovery", path, [], connection)
        } catch {
            // It says so also when our own earlier session is still on.
            guard error.name == "org.bluez.Error.InProgress" else { throw error }
            do throws(DBusError) {
                try await callAdapter("StopDiscovery", path, [], connection)
            } catch {
                // There was none of ours.
            }
            try await callAdapter("StartDiscovery", path, [], connection)
        }
    }

    func callAdapter(
        _ member: String, _ path: String, _ arguments: [Variant], _ connection: Connection
    ) async throws(DBusError) {
        let call = try Message(call: member, on: BlueZName.adapter, at: path, of: BlueZName.service, arguments)
        _ = try await connection.call(call)
    }
}
