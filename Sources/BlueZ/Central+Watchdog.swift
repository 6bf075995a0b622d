internal import Bluetooth
internal import DBus
internal import EventLoop

/// The watch over scans that die in silence.
extension Central {
    /// Calls `handler`, on the loop, with each repair of an adapter's scan.
    package func onScanRepair(_ handler: @escaping @Sendable (ScanRepair, Adapter) -> Void) {
        repairHandler = handler
    }

    /// A signal came from an object; if that is a device's own, it has been heard.
    func watchdogHeard(_ path: String) {
        // `/org/bluez/hci0/dev_…`; what is below are values of links, which say nothing of the scan.
        guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
        watchdogs[String(path[..<end])]?.heard(at: loop.now)
    }

    func startWatchdog(of adapter: String) {
        // It goes on where it was: repairs start the scan anew.
        watchdogs[adapter, default: ScanWatchdog(silence: scanSilence, at: loop.now)].resume(at: loop.now)
        scheduleCheck(of: adapter)
    }

    func stopWatchdog(of adapter: String) {
        watchdogTimers.removeValue(forKey: adapter)?.cancel()
    }

    private func scheduleCheck(of adapter: String) {
        watchdogTimers[adapter]?.cancel()
        guard let watchdog = watchdogs[adapter] else { return }
        watchdogTimers[adapter] = loop.schedule(after: watchdog.nextCheck - loop.now) { [unowned self] in
            check(adapter)
        }
    }

    private func check(_ path: String) {
        let isInUse = links[path].map { $0.usedCount > 0 } ?? false
        let repair = watchdogs[path]?.check(at: loop.now, isInUse: isInUse)
        scheduleCheck(of: path)
        guard let repair, let adapter = adapters[path] else { return }
        repairHandler?(repair, adapter)
        Task(executorPreference: loop.tasks) { await self.carryOut(repair, on: path) }
    }

    private func carryOut(_ repair: ScanRepair, on path: String) async {
        guard let connection, !isAdjustingScan else { return }
        // Nobody else starts or stops a scan meanwhile.
        isAdjustingScan = true
        do throws(DBusError) {
            switch repair {
            case .restartScan:
                try await callAdapter("StopDiscovery", path, [], connection)
                try await startDiscovery(on: path, connection)
            case .powerCycle:
                try await setPower(false, of: path, connection)
                try await setPower(true, of: path, connection)
            }
        } catch {
            // The scan counts as ended, and is started again below.
            scanEnded(on: path)
        }
        isAdjustingScan = false
        scanSoon()
    }

    private func setPower(_ isOn: Bool, of path: String, _ connection: Connection) async throws(DBusError) {
        let call = try Message(
            call: "Set", on: BlueZName.properties, at: path, of: BlueZName.service,
            [.string(BlueZName.adapter), .string("Powered"), .variant(.boolean(isOn))])
        _ = try await connection.call(call)
    }
}
