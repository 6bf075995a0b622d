internal import DBus
internal import EventLoop
internal import Glibc

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

        func startNext(_ loop: EventLoop) {
            guard running == nil, !waiting.isEmpty else { return }
            let operation = waiting.removeFirst()
            running = operation
            let body = operation.body
            let key = ObjectIdentifier(operation)
            Task(executorPreference: loop.tasks) { [self] in
                let outcome = await body()
                finish(key, outcome, loop)
            }
        }

        private func finish(_ key: ObjectIdentifier, _ outcome: Outcome, _ loop: EventLoop) {
            // Late: the link went down meanwhile, and the caller has been told.
            guard let operation = running, ObjectIdentifier(operation) == key else { return discard(outcome) }
            running = nil
            operation.end(outcome)
            startNext(loop)
        }

        /// Closes the descriptors that nobody takes out of an answer.
        private func discard(_ outcome: Outcome) {
            guard case .success(let values) = outcome else { return }
            for value in values { value.fileDescriptor.map { _ = close($0) } }
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
