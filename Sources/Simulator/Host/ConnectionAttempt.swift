import DBus
import EventLoop

/// A connection attempt that has not been answered yet.
final class ConnectionAttempt {
    /// Called once with the error, or with nil after success.
    private var answer: ((DBusError?) -> Void)?
    private var timers: [Timer] = []
    private var onEnd: (() -> Void)?

    init(_ answer: @escaping (DBusError?) -> Void) {
        self.answer = answer
    }

    /// Adds a timer, which is cancelled when the attempt ends.
    func add(_ timer: Timer) {
        timers.append(timer)
    }

    /// Calls `body` when the attempt ends, with or without an answer.
    func whenEnded(_ body: @escaping () -> Void) {
        onEnd = body
    }

    func finish(_ error: DBusError? = nil) {
        let answer = self.answer
        cancel()
        answer?(error)
    }

    /// Ends the attempt without an answer.
    func cancel() {
        answer = nil
        for timer in timers { timer.cancel() }
        timers = []
        let onEnd = self.onEnd
        self.onEnd = nil
        onEnd?()
    }
}
