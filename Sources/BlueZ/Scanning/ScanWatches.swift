import EventLoop
import System

/// The watchdogs of the adapters' scans, and their timers.
final class ScanWatches {
    /// The watchdog of one adapter: a class, because each signal of a device updates the watchdog in place.
    private final class Watch {
        var watchdog: ScanWatchdog
        /// The number of signals of devices since the first scan.
        var signals = 0
        /// The length of the scans that have ended.
        var ended = Duration.zero
        /// The start of the scan that is on; nil: there is none.
        var start: Instant?
        /// The timer of the next check.
        var timer: Timer?

        init(_ watchdog: ScanWatchdog) {
            self.watchdog = watchdog
        }
    }

    private var watches = PathTable<Watch>()
    private let silence: Duration
    private let loop: EventLoop
    private var dueHandler: ((_ adapter: String) -> Void)?

    /// - Parameters:
    ///   - silence: The time without an advertisement after which a scan counts as dead.
    ///   - loop: The event loop of the timers.
    init(silence: Duration, loop: EventLoop) {
        self.silence = silence
        self.loop = loop
    }

    /// Calls `handler` when the check of an adapter's scan is due.
    func onDue(_ handler: @escaping (_ adapter: String) -> Void) {
        dueHandler = handler
    }

    /// Notes a signal of a device's own object: an adapter has seen the device.
    ///
    /// Signals of the objects below a device contain values of a connection, which do not show that the scan works.
    func seen(by adapter: Span<UInt8>) {
        guard let watch = watches[adapter] else { return }
        watch.watchdog.seen(at: loop.now)
        watch.signals += 1
    }

    /// Returns how many signals of devices an adapter has caused since its first scan.
    func signals(of adapter: String) -> Int { watches[adapter]?.signals ?? 0 }

    /// Returns how long an adapter has scanned.
    func scanTime(of adapter: String) -> Duration {
        guard let watch = watches[adapter] else { return .zero }
        return watch.ended + (watch.start.map { loop.now - $0 } ?? .zero)
    }

    /// Starts to watch an adapter's scan, which starts now.
    func start(on adapter: String) {
        // An existing watchdog keeps its number of failures, because repairs restart the scan.
        let watch = watches[adapter] ?? Watch(ScanWatchdog(silence: silence, at: loop.now))
        watch.watchdog.resume(at: loop.now)
        watch.start = watch.start ?? loop.now
        watches[adapter] = watch
        schedule(watch, of: adapter)
    }

    func stop(on adapter: String) {
        guard let watch = watches[adapter] else { return }
        watch.timer?.cancel()
        if let start = watch.start { watch.ended += loop.now - start }
        watch.start = nil
    }

    /// Removes the watchdog of an adapter that is gone.
    func remove(_ adapter: String) {
        watches[adapter] = nil
    }

    /// Returns the repair that a check would return now, without changing anything.
    func preview(of adapter: String, isInUse: Bool) -> Repair? {
        guard var watchdog = watches[adapter]?.watchdog else { return nil }
        return watchdog.check(at: loop.now, isInUse: isInUse)
    }

    /// Returns the repair that is due, and schedules the next check.
    func check(_ adapter: String, isInUse: Bool) -> Repair? {
        guard let watch = watches[adapter] else { return nil }
        let repair = watch.watchdog.check(at: loop.now, isInUse: isInUse)
        schedule(watch, of: adapter)
        return repair
    }

    private func schedule(_ watch: Watch, of adapter: String) {
        watch.timer?.cancel()
        watch.timer = loop.schedule(after: watch.watchdog.nextCheck - loop.now) { [weak self] in
            self?.dueHandler?(adapter)
        }
    }
}
