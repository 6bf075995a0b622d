/// First in, first out, where each element keeps the number that it got when it came.
struct FIFO<Element> {
    private var slots: [Element?] = []
    private var head = 0
    /// The number of the first slot.
    private var base = 0

    var count: Int { slots.count - head }
    var isEmpty: Bool { count == 0 }
    var first: Element? { isEmpty ? nil : slots[head] }

    /// Adds an element at the end and says its number.
    mutating func append(_ element: Element) -> Int {
        slots.append(element)
        return base + slots.count - 1
    }

    /// The waiting element of this number; nil once it has left.
    subscript(number: Int) -> Element? {
        number >= base + head ? slots[number - base] : nil
    }

    /// Replaces the waiting element of this number.
    mutating func replace(_ number: Int, with element: Element) {
        precondition(number >= base + head, "element \(number) has left already")
        slots[number - base] = element
    }

    mutating func popFirst() -> Element? {
        popNumbered()?.element
    }

    /// Takes the first element out, with its number.
    mutating func popNumbered() -> (number: Int, element: Element)? {
        guard !isEmpty else { return nil }
        defer {
            slots[head] = nil
            head += 1
            if head >= 64, head * 2 >= slots.count {
                slots.removeFirst(head)
                base += head
                head = 0
            }
        }
        return slots[head].map { (base + head, $0) }
    }
}
