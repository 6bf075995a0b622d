internal import DBus
internal import EventLoop

/// One operation after the other, each of which ends: with its answer, or when the link goes down.
struct OperationQueue {
    typealias Outcome = Result<[Variant], CentralError>

    private final class Operation {
        let body: @Sendable () async -> Outcome
        var continuation: CheckedContinuation<Outcome, Never>?

        init(_ body: @escaping @Sendable () async -> Outcome, _ continuation: CheckedContinuation<Outcome, Never>) {
            self.body = body
            self.continuation = continuation
        }

        func end(_ outcome: Outcome) {
            continuation?.resume(returning: outcome)
            continuation = nil
        }
    }

    /// The queue's state, which the tasks of operations that ended early still look at.
    private final class State: @unchecked Sendable {
        var running: Operation?
        var waiting: [Operation] = []
        private var startedCount = 0

        func startNext(_ loop: EventLoop) {
            guard running == nil, !waiting.isEmpty else { return }
            let operation = waiting.removeFirst()
            running = operation
            startedCount += 1
            Task(executorPreference: loop.tasks) { [self, body = operation.body, number = startedCount] in
                let outcome = await body()
                finish(number, outcome, loop)
            }
        }

        private func finish(_ number: Int, _ outcome: Outcome, _ loop: EventLoop) {
            // Else it is late: the link went down meanwhile, and the caller has been told.
            guard let operation = running, number == startedCount else { return }
            running = nil
            operation.end(outcome)
            startNext(loop)
        }
    }

    private let state = State()

    /// Runs `body` after those before it.
    func run(
        _ loop: EventLoop, isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping @Sendable () async -> Outcome
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            state.waiting.append(Operation(body, continuation))
            state.startNext(loop)
        }
    }

    /// Ends all operations now; a late answer is ignored.
    func failAll(with error: CentralError) {
        let operations = (state.running.map { [$0] } ?? []) + state.waiting
        state.running = nil
        state.waiting = []
        for operation in operations {
            operation.end(.failure(error))
        }
    }
}
