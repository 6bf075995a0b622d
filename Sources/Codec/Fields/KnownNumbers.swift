/// The numbers of earlier fields that later fields refer to.
struct KnownNumbers {
    // A format has only a few known numbers: a linear search is faster than hashing their names.
    private var numbers: [(name: String, number: Decimal)]

    init(_ numbers: [(name: String, number: Decimal)] = []) {
        self.numbers = numbers
    }

    mutating func set(_ name: String, to number: Decimal) {
        numbers.append((name, number))
    }

    /// Replaces the number of a field that is absent by the number in the record that contains its record, if there is one.
    mutating func forget(_ name: String, in outer: KnownNumbers) {
        numbers.removeAll { $0.name == name }
        if let number = outer[name] { set(name, to: number) }
    }

    /// Returns whether all conditions hold; the number of an absent flag is 0.
    func allow(_ conditions: [Condition]) -> Bool {
        conditions.allSatisfy { $0.holds(for: self[$0.flag] ?? .zero) }
    }

    subscript(name: String) -> Decimal? {
        numbers.last { $0.name == name }?.number
    }
}
