extension NamedValues {
    /// The name of a number; the number itself if it has none and may go without.
    func decode(_ number: Int128, field: String) throws(DecodingError) -> Value {
        if let name = name(of: number) { return areWords ? .string(name) : .named(name, number: Int(number)) }
        if isComplete { throw .invalid(field: field, "\(number) is reserved") }
        return .number(Decimal(number))
    }

    /// The number that a value stands for, as its name or by itself; nil if it may not be written.
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

    /// What can be written, in words.
    var expectation: String {
        let names = entries.map(\.name).joined(separator: ", ")
        return isComplete ? "one of \(names)" : "a number or one of \(names)"
    }
}
