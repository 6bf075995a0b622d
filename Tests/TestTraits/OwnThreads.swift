import Foundation
package import Testing

/// Runs tests on threads of their own.
///
/// Swift has one thread per processor for all tests. A test that waits for another program holds its thread, so that two
/// such tests stop all others on a machine with two processors.
package struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(WaitingThreads.shared) { try await function() }
    }
}

extension Trait where Self == OwnThreads {
    /// For tests that wait for other programs.
    package static var ownThreads: Self { Self() }
}

/// The threads of all tests that wait for other programs.
///
/// A fixed number: each test can start a broker, a bus and a bridge, which share the processors.
private final class WaitingThreads: TaskExecutor, @unchecked Sendable {
    static let shared = WaitingThreads(count: 6)

    private let condition = NSCondition()
    /// Guarded by `condition`.
    private var jobs: [UnownedJob] = []

    private init(count: Int) {
        for _ in 0..<count {
            Thread.detachNewThread { [self] in
                while true { next().runSynchronously(on: asUnownedTaskExecutor()) }
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            condition.signal()
        }
    }

    private func next() -> UnownedJob {
        condition.withLock {
            while jobs.isEmpty { condition.wait() }
            return jobs.removeFirst()
        }
    }
}
