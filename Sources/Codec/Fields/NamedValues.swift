/// Names of numbers, for look-up in both directions.
package struct NamedValues: Hashable, Sendable {
    /// Numbers and their names, in ascending order of the numbers.
    package let entries: [Entry]
    /// Whether a number without a name is rejected.
    ///
    /// True if the Bluetooth SIG reserves all other numbers; false e.g. for a configured format, which reads a number
    /// without a name as a number.
    package let isComplete: Bool
    /// Whether a reading shows the names without their numbers, as for units.
    package private(set) var areWords = false

    /// A number and its name.
    package struct Entry: Hashable, Sendable {
        package let number: Int
        package let name: String
    }

    package init(_ names: [Int: String], isComplete: Bool = false) {
        entries = names.sorted { $0.key < $1.key }.map { Entry(number: $0.key, name: $0.value) }
        self.isComplete = isComplete
    }

    /// The same names, where a number without a name is read as a number.
    var open: NamedValues {
        NamedValues(Dictionary(uniqueKeysWithValues: entries.map { ($0.number, $0.name) }))
    }

    /// The same names, shown without their numbers.
    var withoutNumbers: NamedValues {
        var values = self
        values.areWords = true
        return values
    }

    /// The names without repetitions, in the order of their least numbers.
    package var names: [String] {
        var seen: Set<String> = []
        return entries.map(\.name).filter { seen.insert($0).inserted }
    }

    /// Returns the name of a number; nil if the number has no name.
    package func name(of number: Int128) -> String? {
        entries.first { $0.number == number }?.name
    }

    /// Returns the least number of a name; nil if there is no such name.
    package func number(of name: String) -> Int? {
        entries.first { $0.name == name }?.number
    }
}

extension NamedValues {
    /// Returns the name of a number.
    ///
    /// A number without a name is read as the number itself, or as null if the reading shows
    /// the names without their numbers.
    ///
    /// - Throws: `DecodingError` if the number has no name and the names are complete.
    func decode(_ number: Int128, field: String) throws(DecodingError) -> Value {
        if let name = name(of: number) { return areWords ? .string(name) : .named(name, number: Int(number)) }
        if isComplete { throw .invalid(field: field, "\(number) is reserved") }
        return areWords ? .null : .number(Decimal(number))
    }

    /// Returns the number of a value, which is a name or a number; nil for any other value and for a reserved number.
    func number(for value: Value) -> Int128? {
        let number: Int128? =
            switch value {
            case .string(let name): self.number(of: name).map { Int128($0) }
            case .named(_, let number): Int128(number)
            case .number(let number): number.wholeNumber
            default: nil
            }
        guard let number, !isComplete || name(of: number) != nil else { return nil }
        return number
    }

    /// The values that can be encoded, as text for an error message.
    var expectation: String {
        let names = names.joined(separator: ", ")
        return isComplete ? "one of \(names)" : "a number or one of \(names)"
    }
}
