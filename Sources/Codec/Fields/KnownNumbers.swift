/// The numbers, texts and lists of earlier fields, and of names from outside of the format, that later fields refer to.
struct KnownNumbers {
    // A format has only a few known numbers: a linear search is faster than hashing their names.
    private var numbers: [(name: String, number: Decimal)]
    /// The texts and lists; empty for most formats.
    private var others: [(name: String, value: Value)] = []

    init(_ numbers: [(name: String, number: Decimal)] = []) {
        self.numbers = numbers
    }

    /// Creates the values that names have in an environment.
    init(_ environment: Environment, _ names: some Sequence<String>) {
        self.init()
        for name in names { if let value = environment[name] { set(name, to: value) } }
    }

    mutating func set(_ name: String, to number: Decimal) {
        numbers.append((name, number))
    }

    /// Adds the number, the text or the list of a name; any other value is not added.
    mutating func set(_ name: String, to value: Value) {
        if let number = value.number() { return set(name, to: number) }
        switch value {
        case .string, .list: others.append((name, value))
        default: break
        }
    }

    /// Replaces the number of a field that is absent by the number in the record that contains its record, if there is one.
    mutating func forget(_ name: String, in outer: KnownNumbers) {
        numbers.removeAll { $0.name == name }
        if let number = outer[name] { set(name, to: number) }
    }

    /// Returns whether all conditions hold; the number of an absent flag is 0.
    func allow(_ conditions: [Condition]) -> Bool {
        conditions.allSatisfy { $0.holds(for: self[$0.flag] ?? presence(of: $0.flag)) }
    }

    subscript(name: String) -> Decimal? {
        numbers.last { $0.name == name }?.number
    }

    /// Returns the text, the list or the number of a name.
    func value(of name: String) -> Value? {
        others.last { $0.name == name }?.value ?? self[name].map { .number($0) }
    }

    /// Returns the number of a text or a list in conditions: 1; 0 if there is none.
    private func presence(of name: String) -> Decimal {
        others.contains { $0.name == name } ? 1 : 0
    }
}
