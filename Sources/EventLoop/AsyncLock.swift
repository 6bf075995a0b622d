/// Serializes asynchronous work: one holder at a time, in the order of the calls of `lock`.
package final class AsyncLock {
    package private(set) var isLocked = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// Acquires the lock, after a wait if necessary; the caller must call `unlock` afterwards.
    package func lock(isolation: isolated (any Actor)? = #isolation) async {
        guard isLocked else {
            isLocked = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Frees the lock, or passes it on to the caller that has waited longest.
    package func unlock() {
        guard !waiting.isEmpty else {
            isLocked = false
            return
        }
        waiting.removeFirst().resume()
    }
}
