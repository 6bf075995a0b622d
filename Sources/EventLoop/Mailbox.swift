/// A queue between actors of one loop: anybody puts, one consumer takes, in order.
///
/// Taking suspends in place when there is nothing: no other thread, no other executor (`AsyncStream` would use both).
package final class Mailbox<Element: Sendable>: @unchecked Sendable {
    private var buffer: [Element] = []
    private var head = 0
    private var consumer: UnsafeContinuation<Element?, Never>?
    private var isClosed = false

    package init() {}

    /// How many elements wait.
    package var count: Int { buffer.count - head }

    /// Adds an element at the end; dropped when the mailbox is closed.
    package func put(_ element: Element) {
        if isClosed { return }
        if let waiting = consumer {
            consumer = nil
            waiting.resume(returning: element)
        } else {
            buffer.append(element)
        }
    }

    /// The next element, as soon as there is one; nil once the mailbox is closed and empty.
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

    /// Nothing more will be put; the consumer gets what is left and then nil.
    package func close() {
        isClosed = true
        consumer?.resume(returning: nil)
        consumer = nil
    }
}
