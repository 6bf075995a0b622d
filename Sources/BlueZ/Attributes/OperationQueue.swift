import DBus
import EventLoop
import System

/// Runs a peripheral's operations one at a time.
///
/// Each operation ends with its result or with the error of `failAll`, for example when the connection is lost.
///
/// Unchecked: the queue and the tasks of its operations run only on the loop. The task of a cancelled operation
/// continues.
final class OperationQueue: @unchecked Sendable {
    typealias Outcome = Result<[Variant], CentralError>

    private final class Operation {
        let body: @Sendable () async -> Outcome
        private var continuation: CheckedContinuation<Outcome, Never>?

        init(_ body: @escaping @Sendable () async -> Outcome, _ continuation: CheckedContinuation<Outcome, Never>) {
            self.body = body
            self.continuation = continuation
        }

        func end(_ outcome: Outcome) {
            continuation?.resume(returning: outcome)
            continuation = nil
        }
    }

    /// The token of the operations that are not cancelled; an operation with another token has been cancelled.
    private(set) var token = OperationToken()
    private var pacer = WritePacer()
    private var running: Operation?
    private var waiting: [Operation] = []
    private var startedCount = 0
    private let loop: EventLoop

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Runs `body` after all earlier operations, and returns its outcome.
    func run(
        isolation: isolated (any Actor)? = #isolation, _ body: @escaping @Sendable () async -> Outcome
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            waiting.append(Operation(body, continuation))
            startNext()
        }
    }

    /// Returns when the next write without a response may be sent, and reserves this time.
    func nextWrite() -> Instant {
        pacer.next(at: loop.now)
    }

    /// Ends all running and waiting operations with `error`; later results are ignored.
    func failAll(with error: CentralError) {
        token.advance()
        let operations = (running.map { [$0] } ?? []) + waiting
        running = nil
        waiting = []
        for operation in operations {
            operation.end(.failure(error))
        }
        pacer.cancelPending(at: loop.now)
    }

    private func startNext() {
        guard running == nil, !waiting.isEmpty else { return }
        let operation = waiting.removeFirst()
        running = operation
        startedCount += 1
        Task(executorPreference: loop.tasks) { [self, body = operation.body, number = startedCount] in
            let outcome = await body()
            finish(number, outcome)
        }
    }

    private func finish(_ number: Int, _ outcome: Outcome) {
        // A result with an earlier number is late: `failAll` has ended the operation, and the caller has received the
        // error.
        guard let operation = running, number == startedCount else { return }
        running = nil
        operation.end(outcome)
        startNext()
    }
}
