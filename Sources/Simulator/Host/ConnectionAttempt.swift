import DBus
import EventLoop

/// A Connect that is not answered yet.
final class ConnectionAttempt {
    /// Called once: nil when there is a link.
    private var answer: ((DBusError?) -> Void)?
    var timers: [Timer] = []
    /// Called at the end, however it ends.
    var onEnd: (() -> Void)?

    init(_ answer: @escaping (DBusError?) -> Void) {
        self.answer = answer
    }

    func finish(_ error: DBusError? = nil) {
        let answer = self.answer
        cancel()
        answer?(error)
    }

    /// Ends without an answer.
    func cancel() {
        answer = nil
        for timer in timers { timer.cancel() }
        timers = []
        let onEnd = self.onEnd
        self.onEnd = nil
        onEnd?()
    }
}
