/// A call that is due at an instant, unless it is cancelled before.
package final class Timer {
    /// When the handler is called, unless it is cancelled before.
    package let due: Instant
    private var handler: (() -> Void)?

    init(due: Instant, handler: @escaping () -> Void) {
        self.due = due
        self.handler = handler
    }

    /// The handler will not be called; harmless when it has been.
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
