import EventLoop

/// The tasks that wait until a condition on a peripheral is true.
struct ConditionList {
    private struct Condition {
        let holds: (isolated Peripheral) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
        let timer: Timer
    }

    private var conditions: [Int: Condition] = [:]
    private var count = 0

    /// Returns the key of the next condition.
    mutating func nextKey() -> Int {
        count += 1
        return count
    }

    mutating func add(
        _ key: Int, _ holds: @escaping (isolated Peripheral) -> Bool, _ continuation: CheckedContinuation<Bool, Never>,
        _ timer: Timer
    ) {
        conditions[key] = Condition(holds: holds, continuation: continuation, timer: timer)
    }

    /// Ends the wait for a condition that has not become true in time.
    mutating func expire(_ key: Int) {
        conditions.removeValue(forKey: key)?.continuation.resume(returning: false)
    }

    /// Ends the waits for the conditions that are true.
    mutating func check(_ peripheral: isolated Peripheral) {
        for (key, condition) in conditions where condition.holds(peripheral) {
            conditions[key] = nil
            condition.timer.cancel()
            condition.continuation.resume(returning: true)
        }
    }
}
