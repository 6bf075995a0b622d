import System

/// The pending timers as a binary heap, the timer with the earliest time first.
struct TimerHeap {
    private var heap: [Timer] = []

    /// The instant of the next timer; nil if there is none.
    ///
    /// Cancelled timers are removed first, so that they do not wake the loop.
    var next: Instant? {
        mutating get {
            while let first = heap.first, first.isCancelled {
                removeFirst()
            }
            return heap.first?.due
        }
    }

    mutating func insert(_ timer: Timer) {
        // The timers of timeouts are usually cancelled long before they are due, and would accumulate.
        if heap.count >= 64, heap.count == heap.capacity {
            heap.removeAll(where: \.isCancelled)
            heap.sort { $0.due < $1.due }
        }
        heap.append(timer)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].due < heap[parent].due else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns the next timer if it is due; nil otherwise.
    mutating func popDue(at now: Instant) -> Timer? {
        guard let due = next, due <= now, let timer = heap.first else { return nil }
        removeFirst()
        return timer
    }

    private mutating func removeFirst() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].due < heap[least].due { least = child }
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
