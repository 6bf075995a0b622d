import JSON

/// Values from outside of a format that its formulas and conditions use: `status.cells`, `now`, `pin`.
///
/// A name without a value is not known. A name with the value null is known to have none, e.g. if no PIN is configured.
package struct Environment: Hashable, Sendable {
    private var values: [String: Value]

    package init(_ values: [String: Value] = [:]) {
        self.values = values
    }

    /// The value of a name; nil if the value is not known.
    package subscript(name: String) -> Value? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// Adds the members of a record, as `MEMBER`, or as `OWNER.MEMBER` if there is an owner.
    package mutating func add(_ members: Record, of owner: String? = nil) {
        for member in members { values[owner.map { "\($0).\(member.name)" } ?? member.name] = member.value }
    }

    /// Returns the names without a value, in alphabetical order.
    package func missing(of names: some Sequence<String>) -> [String] {
        names.filter { values[$0] == nil }.sorted()
    }
}

extension Environment: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, Value)...) {
        self.init(Dictionary(elements) { $1 })
    }
}

extension Expression {
    /// Returns the value of the formula; the value of a formula that is only a name can also be a text or a list.
    ///
    /// - Throws: `FormulaFailure` if the formula has no value.
    package func value(in environment: Environment) throws(FormulaFailure) -> Value {
        if let result = result(with: KnownNumbers(environment, names)) { return result }
        let missing = environment.missing(of: names)
        throw missing.isEmpty ? .noResult(text) : .needs(missing)
    }

    /// Returns the result of the formula.
    ///
    /// - Throws: `FormulaFailure` if the formula has no number.
    package func number(in environment: Environment) throws(FormulaFailure) -> Decimal {
        guard let number = try value(in: environment).number() else { throw .noResult(text) }
        return number
    }

    /// Returns whether the condition holds: the result is not 0, or the formula is the name of a text.
    ///
    /// - Throws: `FormulaFailure` if a name has no value. Null is a value, for which the condition does not hold.
    package func isTrue(in environment: Environment) throws(FormulaFailure) -> Bool {
        do throws(FormulaFailure) {
            return try value(in: environment).number() != .zero
        } catch {
            if case .noResult = error { return false }
            throw error
        }
    }
}

/// The reason why a formula has no value.
package enum FormulaFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// These names have no value.
    case needs([String])
    /// All names have values, but the result of the formula is not known: a value is null, or a divisor is 0.
    case noResult(String)

    package var description: String {
        switch self {
        case .needs(let names): "needs \(names.joined(separator: ", "))"
        case .noResult(let text): "\(text.quotedForMessage) has no result"
        }
    }
}
