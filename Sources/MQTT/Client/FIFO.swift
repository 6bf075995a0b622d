/// A queue in which each element keeps the number that it received when it was added.
struct FIFO<Element> {
    private var slots: [Element?] = []
    private var head = 0
    /// The number of the first slot.
    private var base = 0

    var count: Int { slots.count - head }
    var isEmpty: Bool { count == 0 }
    var first: Element? { isEmpty ? nil : slots[head] }

    /// Adds an element at the end and returns its number.
    mutating func append(_ element: Element) -> Int {
        slots.append(element)
        return base + slots.count - 1
    }

    /// The element with this number; nil after it was removed.
    subscript(number: Int) -> Element? {
        number >= base + head ? slots[number - base] : nil
    }

    /// Replaces the element with this number.
    ///
    /// - Precondition: The element has not been removed.
    mutating func replace(_ number: Int, with element: Element) {
        precondition(number >= base + head, "element \(number) was removed")
        slots[number - base] = element
    }

    /// Returns whether an element satisfies a condition.
    func contains(where isMatch: (Element) -> Bool) -> Bool {
        slots[head...].contains { $0.map(isMatch) ?? false }
    }

    /// Calls `body` for each element in order.
    func forEach(_ body: (Element) -> Void) {
        for case let element? in slots[head...] { body(element) }
    }

    /// Calls `body` for each element in order; `body` can change the element.
    mutating func changeEach(_ body: (inout Element) -> Void) {
        for index in slots.indices.dropFirst(head) {
            guard var element = slots[index] else { continue }
            slots[index] = nil
            body(&element)
            slots[index] = element
        }
    }

    mutating func popFirst() -> Element? {
        popNumbered()?.element
    }

    /// Removes the first element and returns it with its number.
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
