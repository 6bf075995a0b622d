/// Receives the response to a request in the place of the broker: several gateways know the request, and its response waits
/// until this gateway may publish it.
final class DeferredResponse: @unchecked Sendable {
    // Used only on the thread of the event loop.
    private var isAnswered = false
    private let onAnswer: (_ payload: [UInt8], _ reply: ReplyAddress) -> Void
    private let onEnd: () -> Void

    /// - Parameters:
    ///   - onAnswer: Receives the payload of the response and its destination.
    ///   - onEnd: Called when the request was dropped without a response.
    init(onAnswer: @escaping (_ payload: [UInt8], _ reply: ReplyAddress) -> Void, onEnd: @escaping () -> Void) {
        self.onAnswer = onAnswer
        self.onEnd = onEnd
    }

    deinit {
        if !isAnswered { onEnd() }
    }

    func answer(_ payload: [UInt8], to reply: ReplyAddress) {
        guard !isAnswered else { return }
        isAnswered = true
        onAnswer(payload, reply)
    }
}
