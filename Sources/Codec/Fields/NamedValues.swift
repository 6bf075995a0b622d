/// Names of numbers, to be looked up in both directions.
package struct NamedValues: Hashable, Sendable {
    /// Numbers and their names, in ascending order.
    package let entries: [Entry]
    /// Whether numbers without a name are refused: true where the SIG reserves them, false for a configured format,
    /// where such a number is handed on as it is.
    package let isComplete: Bool
    /// Whether the names are mere words, such as units, whose numbers nobody wants to see.
    package var areWords = false

    package struct Entry: Hashable, Sendable {
        package let number: Int
        package let name: String
    }

    package init(_ names: [Int: String], isComplete: Bool = false) {
        entries = names.sorted { $0.key < $1.key }.map { Entry(number: $0.key, name: $0.value) }
        self.isComplete = isComplete
    }

    /// The same names, where a number without one stays a number.
    var open: NamedValues {
        NamedValues(Dictionary(uniqueKeysWithValues: entries.map { ($0.number, $0.name) }))
    }

    package func name(of number: Int128) -> String? {
        entries.first { $0.number == number }?.name
    }

    package func number(of name: String) -> Int? {
        entries.first { $0.name == name }?.number
    }
}
