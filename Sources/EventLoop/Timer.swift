package import System

/// A call that the loop makes once, at an instant, unless it is cancelled before.
package final class Timer {
    /// The instant at which the handler is called.
    package let due: Instant
    private var handler: (() -> Void)?

    init(due: Instant, handler: @escaping () -> Void) {
        self.due = due
        self.handler = handler
    }

    /// Cancels the call; no effect after it.
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
