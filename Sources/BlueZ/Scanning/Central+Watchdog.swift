internal import EventLoop

/// The watch over scans that die in silence.
extension Central {
    /// A signal came from a device's own object: it has been heard. (What is below it are values of links, which say
    /// nothing of the scan.)
    func watchdogHeard(_ adapter: Span<UInt8>) {
        watchdogs.update(adapter) { $0.heard(at: loop.now) }
    }

    func startWatchdog(of adapter: String) {
        // It goes on where it was: repairs start the scan anew.
        var watchdog = watchdogs[adapter] ?? ScanWatchdog(silence: scanSilence, at: loop.now)
        watchdog.resume(at: loop.now)
        watchdogs[adapter] = watchdog
        scheduleCheck(of: adapter)
    }

    func stopWatchdog(of adapter: String) {
        watchdogTimers.removeValue(forKey: adapter)?.cancel()
    }

    private func scheduleCheck(of adapter: String) {
        watchdogTimers[adapter]?.cancel()
        guard let watchdog = watchdogs[adapter] else { return }
        watchdogTimers[adapter] = loop.schedule(after: watchdog.nextCheck - loop.now) { [weak self] in
            self?.assumeIsolated { $0.check(adapter) }
        }
    }

    private func check(_ path: String) {
        let isInUse = links[path].map { $0.usedCount > 0 } ?? false
        let repair = watchdogs[path]?.check(at: loop.now, isInUse: isInUse)
        scheduleCheck(of: path)
        guard let repair, let adapter = adapters[path] else { return }
        Task(executorPreference: loop.tasks) { await self.repair(adapter, by: repair, "the scan hears nothing") }
    }
}
