/// A JSON value (RFC 8259).
///
///     let reading: JSON = ["value": .number(verbatim: "21.53"), "unit": "°C"]
///     reading["unit"]?.string           // "°C"
///     reading.description               // {"value":21.53,"unit":"°C"}
package enum JSON: Hashable, Sendable {
    /// The members of an object.
    package typealias Object = Members<JSON>

    case null
    case bool(Bool)
    case number(Number)
    case string(String)
    case array([JSON])
    case object(Object)
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) {
        self = .null
    }

    package init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    package init(integerLiteral value: Int) {
        self = .number(Number(value))
    }

    package init(floatLiteral value: Double) {
        self = .number(verbatim: "\(value)")
    }

    package init(stringLiteral value: String) {
        self = .string(value)
    }

    package init(arrayLiteral elements: JSON...) {
        self = .array(elements)
    }

    package init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(Object(members))
    }
}

extension JSON {
    /// Returns a number: `.number(count)`.
    package static func number(_ value: some BinaryInteger) -> JSON {
        .number(Number(value))
    }

    /// Returns the text of a value, such as an address or a time: `.text(address)`.
    package static func text(_ value: some CustomStringConvertible) -> JSON {
        .string(value.description)
    }
}
