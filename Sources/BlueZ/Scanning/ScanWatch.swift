internal import EventLoop

/// The watch over one adapter's scan: an object, since each signal of a device is told to it.
final class ScanWatch {
    var watchdog: ScanWatchdog
    /// The next look at it.
    var check: Timer?

    init(_ watchdog: ScanWatchdog) {
        self.watchdog = watchdog
    }
}
