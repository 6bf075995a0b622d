import Foundation

/// Ctrl-C and the like: what is under way is broken off, and cleaned up after.
struct Interrupt: Error {
    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGHUP)
        return signals
    }

    /// Keeps the signals from ending the program at once.
    static func hold() {
        var signals = signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for a signal.
    ///
    /// - Returns: Whether a signal has arrived, now or before.
    static func comes(within seconds: Double) -> Bool {
        var signals = signals
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(seconds.truncatingRemainder(dividingBy: 1) * 1e9))
        return sigtimedwait(&signals, nil, &time) > 0
    }
}

/// Waits while the measured programs work.
///
/// - Throws: `Interrupt` after a signal.
func pause(_ seconds: Double) throws {
    if Interrupt.comes(within: seconds) { throw Interrupt() }
}
