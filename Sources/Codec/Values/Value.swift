package import JSON

/// Named values: the fields of a value, in their order.
package typealias Record = Members<Value>

/// The value of a field: the values of JSON with exact numbers, bytes, and names that stand for numbers.
package enum Value: Hashable, Sendable {
    /// A value that is not known.
    case null
    case boolean(Bool)
    case number(Decimal)
    case string(String)
    case bytes([UInt8])
    case list([Value])
    case record(Record)
    /// A number with a name, e.g. the number 1 with the name `chest`.
    case named(String, number: Int)
}

extension Value {
    /// The boolean that the value represents: true for true and 1, false for false and 0; nil for any other value.
    var truth: Bool? {
        switch self {
        case .boolean(let isTrue): isTrue
        case .number(0): false
        case .number(1): true
        default: nil
        }
    }

    /// Returns the number for conditions, counts and formulas of later fields; nil if the value has none.
    package func number(names: NamedValues? = nil) -> Decimal? {
        switch self {
        case .boolean(let isTrue): isTrue ? 1 : 0
        case .named(_, let number): Decimal(number)
        case .number(let number): number
        case .string(let name): names?.number(of: name).map { Decimal($0) }
        default: nil
        }
    }

    /// Returns the member of a record with this name; nil if there is none.
    package func member(_ name: String) -> Value? {
        if case .record(let record) = self { record[name] } else { nil }
    }

    /// Returns whether a value from a client represents this value: a name or its number, 1 for true, hexadecimal
    /// digits for bytes.
    func isEquivalent(to given: Value) -> Bool {
        switch (self, given) {
        case (.named(let name, let number), _): [self, .string(name), .number(Decimal(number))].contains(given)
        case (.boolean(let isTrue), _): given.truth == isTrue
        case (.bytes(let bytes), _): given.bytes == bytes
        case (.list(let elements), .list(let others)):
            elements.count == others.count && zip(elements, others).allSatisfy { $0.isEquivalent(to: $1) }
        case (.record(let record), .record(let others)):
            record.count == others.count
                && others.allSatisfy { record[$0.name]?.isEquivalent(to: $0.value) ?? false }
        default: self == given
        }
    }
}

// `nil` is no literal of `Value`: with such a literal, `record[name] == nil` would compare with the value null.
extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(integerLiteral value: Int64) {
        self = .number(Decimal(value))
    }

    package init(floatLiteral value: Double) {
        self = .number(Decimal(floatLiteral: value))
    }

    package init(stringLiteral value: String) {
        self = .string(value)
    }

    package init(booleanLiteral value: Bool) {
        self = .boolean(value)
    }

    package init(arrayLiteral elements: Value...) {
        self = .list(elements)
    }

    package init(dictionaryLiteral elements: (String, Value)...) {
        self = .record(Record(elements))
    }
}
