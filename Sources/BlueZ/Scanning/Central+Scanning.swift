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

    /// Whether somebody waits for a peripheral to be heard.
    var isSeeking: Bool { !sought.isEmpty || finderCount > 0 }

    /// How an adapter is to scan; nil: not at all.
    private func wantedScan(of adapter: Adapter) -> ScanStyle? {
        guard adapter.isPowered, adapter.isCentral, !scanPauses.values.contains(adapter.path) else { return nil }
        if observers.values.contains(where: \.needsEachPacket) { return .eachPacket }
        let isNeeded = isSeeking || !observers.isEmpty || attempts.values.contains(where: \.keepsScan)
        return isNeeded ? .changes : nil
    }

    private func needsAdjusting(_ adapter: Adapter) -> Bool {
        // The scan of one that is off is over.
        adapter.isPowered && scans[adapter.path] != wantedScan(of: adapter)
    }

    /// Starts, changes or stops the scan on each adapter until it is as it is wanted.
    func adjustScan() async {
        // Whoever has the turn looks again afterwards.
        guard !scanTurn.isTaken else { return }
        await scanTurn.enter()
        defer { scanTurn.leave() }
        var failing: Set<String> = []
        while let connection,
            let adapter = adapters.values.first(where: { needsAdjusting($0) && !failing.contains($0.path) })
        {
            let wanted = wantedScan(of: adapter)
            do throws(DBusError) {
                try await adjustScan(of: adapter.path, to: wanted, connection)
            } catch {
                // A stop that fails has nothing to stop; a start is tried again.
                if wanted != nil { failing.insert(adapter.path) }
            }
        }
        scanRetry?.cancel()
        scanRetry = nil
        if failing.isEmpty { return }
        scanRetry = loop.schedule(after: .seconds(1)) { [weak self] in
            self?.assumeIsolated { $0.scanSoon() }
        }
    }

    private func adjustScan(
        of path: String, to wanted: ScanStyle?, _ connection: Connection
    ) async throws(DBusError) {
        guard let wanted else {
            scanEnded(on: path)
            return try await callAdapter("StopDiscovery", path, [], connection)
        }
        let previous = scans[path]
        // Noted before it is asked for: the scan may have ended again when the answer is looked at.
        scans[path] = wanted
        do {
            if previous == nil {
                startWatchdog(of: path)
                try await startDiscovery(on: path, wanted, connection)
            } else {
                try await setFilter(wanted, on: path, connection)
            }
        } catch {
            if previous == nil { scanEnded(on: path) } else if scans[path] != nil { scans[path] = previous }
            throw error
        }
    }

    func scanEnded(on adapter: String) {
        scans[adapter] = nil
        stopWatchdog(of: adapter)
    }

    // MARK: Calls

    private func setFilter(_ style: ScanStyle, on path: String, _ connection: Connection) async throws(DBusError) {
        // A filter with nothing but the transport counts as none on an adapter that is LE only, and then devices that are
        // not discoverable stay hidden (BlueZ 5.82, src/adapter.c, merge_discovery_filters). The strength lets everybody
        // through, and makes it a filter; and later versions signal it each time only to those who ask for it.
        var filter: [String: Variant] = ["Transport": .string("le"), "RSSI": .int16(-127)]
        // 32-bit versions before 5.71 cannot read a boolean that is false.
        if style == .eachPacket { filter["DuplicateData"] = .boolean(true) }
        try await callAdapter("SetDiscoveryFilter", path, [.properties(filter)], connection)
    }

    func startDiscovery(
        on path: String, _ style: ScanStyle, _ connection: Connection
    ) async throws(DBusError) {
        try await setFilter(style, on: path, connection)
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
