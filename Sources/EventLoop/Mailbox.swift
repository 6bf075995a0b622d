/// A first-in, first-out queue between actors of one loop, with any number of producers and one consumer.
///
/// `next` suspends in place while the queue is empty. `AsyncStream` would use another thread and another executor.
package final class Mailbox<Element: Sendable>: @unchecked Sendable {
    private var buffer: [Element] = []
    private var head = 0
    private var consumer: UnsafeContinuation<Element?, Never>?
    private var isClosed = false

    package init() {}

    /// The number of elements in the queue.
    package var count: Int { buffer.count - head }

    /// Adds an element at the end; a closed mailbox drops it.
    package func put(_ element: Element) {
        if isClosed { return }
        if let waiting = consumer {
            consumer = nil
            waiting.resume(returning: element)
        } else {
            buffer.append(element)
        }
    }

    /// Removes and returns the next element; if the queue is empty, waits for an element or returns nil after `close`.
    package func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
        if head < buffer.count {
            let element = buffer[head]
            head += 1
            if head == buffer.count {
                buffer.removeAll(keepingCapacity: buffer.capacity <= 64)
                head = 0
            }
            return element
        }
        if isClosed { return nil }
        precondition(consumer == nil, "a mailbox has one consumer")
        return await withUnsafeContinuation { consumer = $0 }
    }

    /// Closes the mailbox: the consumer receives the remaining elements and then nil.
    package func close() {
        isClosed = true
        consumer?.resume(returning: nil)
        consumer = nil
    }
}
