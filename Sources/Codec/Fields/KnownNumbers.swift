/// The numbers of earlier fields, as far as later ones refer to them.
struct KnownNumbers {
    // A format has a handful of them: looking through them is quicker than hashing their names.
    private var numbers: [(name: String, number: Decimal)] = []

    mutating func set(_ name: String, to number: Decimal) {
        numbers.append((name, number))
    }

    /// Whether all conditions hold; a flag that was absent counts as zero.
    func allow(_ conditions: [Condition]) -> Bool {
        conditions.allSatisfy { $0.holds(for: self[$0.flag] ?? .zero) }
    }

    subscript(name: String) -> Decimal? {
        numbers.last { $0.name == name }?.number
    }
}
