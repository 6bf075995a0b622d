internal import EventLoop

/// The watch over scans that die in silence.
extension Central {
    /// A signal came from a device's own object: it has been heard. (What is below it are values of links, which say
    /// nothing of the scan.)
    func watchdogHeard(_ adapter: Span<UInt8>) {
        scanWatches[adapter]?.watchdog.heard(at: loop.now)
    }

    func startWatchdog(of adapter: String) {
        // It goes on where it was: repairs start the scan anew.
        let watch = scanWatches[adapter] ?? ScanWatch(ScanWatchdog(silence: scanSilence, at: loop.now))
        watch.watchdog.resume(at: loop.now)
        scanWatches[adapter] = watch
        scheduleCheck(of: adapter)
    }

    func stopWatchdog(of adapter: String) {
        scanWatches[adapter]?.check?.cancel()
    }

    private func scheduleCheck(of adapter: String) {
        guard let watch = scanWatches[adapter] else { return }
        watch.check?.cancel()
        watch.check = loop.schedule(after: watch.watchdog.nextCheck - loop.now) { [weak self] in
            self?.assumeIsolated { $0.checkSoon(adapter) }
        }
    }

    private func checkSoon(_ path: String) {
        Task(executorPreference: loop.tasks) { await self.check(path) }
    }

    private func check(_ path: String) async {
        guard var trial = scanWatches[path]?.watchdog else { return }
        var isInUse = links[path].map { $0.usedCount > 0 } ?? false
        // bluetoothd is asked only if its answer decides something.
        if trial.check(at: loop.now, isInUse: isInUse) == .powerCycle { isInUse = await self.isInUse(path) }
        guard scans[path] != nil, let adapter = adapters[path] else { return }
        let repair = scanWatches[path]?.watchdog.check(at: loop.now, isInUse: isInUse)
        scheduleCheck(of: path)
        if let repair { await self.repair(adapter, by: repair, "the scan hears nothing") }
    }
}
