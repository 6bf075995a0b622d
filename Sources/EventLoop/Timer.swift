package import System

/// A handler that the event loop calls once, at a given time, unless the timer is cancelled before.
package final class Timer {
    /// The instant at which the handler is called.
    package let due: Instant
    private var handler: (() -> Void)?

    init(due: Instant, handler: @escaping () -> Void) {
        self.due = due
        self.handler = handler
    }

    /// Cancels the call; has no effect if the handler has been called.
    package func cancel() {
        handler = nil
    }

    var isCancelled: Bool { handler == nil }

    func fire() {
        let call = handler
        handler = nil
        call?()
    }
}
