/// The changes of the fleet that wait: they run one at a time, in their order, from the start of the gateway on.
struct ChangeQueue {
    private var waiting: [() async -> Void] = []
    private var isStarted = false
    private var isRunning = false
    private var isClosed = false

    mutating func start() {
        isStarted = true
    }

    mutating func close() {
        isClosed = true
    }

    /// Adds a change; a closed queue drops it.
    mutating func add(_ change: @escaping () async -> Void) {
        if !isClosed { waiting.append(change) }
    }

    /// Returns whether the caller must run the changes now: `next()` until it returns nil.
    mutating func begin() -> Bool {
        guard isStarted, !isRunning, !waiting.isEmpty else { return false }
        isRunning = true
        return true
    }

    /// Removes and returns the next change; nil if none waits.
    mutating func next() -> (() async -> Void)? {
        if waiting.isEmpty {
            isRunning = false
            return nil
        }
        return waiting.removeFirst()
    }
}
