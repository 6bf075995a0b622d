/// The clock of a simulated world, and what happens when.
final class Schedule {
    private struct Item {
        let time: Double
        /// Items of the same time happen in the order in which they were added.
        let number: Int
        let action: () -> Void

        func isBefore(_ other: Item) -> Bool {
            time == other.time ? number < other.number : time < other.time
        }
    }

    /// The time in seconds since the world began.
    private(set) var now = 0.0
    private var heap: [Item] = []
    private var lastNumber = 0

    /// Adds an action at a time in seconds.
    func at(_ time: Double, _ action: @escaping () -> Void) {
        lastNumber += 1
        heap.append(Item(time: max(time, now), number: lastNumber, action: action))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Adds an action after a number of seconds.
    func after(_ delay: Double, _ action: @escaping () -> Void) {
        at(now + delay, action)
    }

    /// Performs all actions up to a time in seconds.
    func run(until end: Double) {
        while let first = heap.first, first.time <= end {
            now = first.time
            removeFirst()
            first.action()
        }
        now = end
    }

    /// Removes all actions.
    func clear() {
        heap = []
    }

    private func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in (2 * parent + 1)...(2 * parent + 2) where child < heap.count {
                if heap[child].isBefore(heap[least]) { least = child }
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
