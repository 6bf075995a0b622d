/// The reason why a format cannot encode a value.
package enum EncodingError: Error, Hashable, Sendable {
    case missing(field: String)
    case unknown(field: String, known: [String])
    case invalid(field: String, expected: String, found: String)
    /// The record has values of fields that are absent according to its other values; `rule` explains why the first of
    /// them is absent, e.g. `op is set_pressure; op is start`, and is nil if there is no short explanation.
    case misplaced(fields: [String], rule: String? = nil)
    /// The field cannot be written without the value of a name from outside of the format, or of its formula.
    case needs(field: String, String)
    /// With this field, the encoded value would be longer than `Format.maximumLength`.
    case tooLong(field: String)
}

extension EncodingError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let field): "\(field) is missing"
        case .unknown(let field, let known):
            "unknown field \(field): the \(known.count == 1 ? "only field is" : "fields are") \(known.joined(separator: ", "))"
        case .invalid(let field, let expected, let found): "\(field): expected \(expected), found \(found)"
        case .misplaced(let fields, let rule?): "\(fields.first ?? "") is only allowed when \(rule)"
        case .misplaced(let fields, nil):
            "not allowed with the values of the other fields: \(fields.joined(separator: ", "))"
        case .needs(let field, let name): "\(field): needs \(name)"
        case .tooLong(let field): "\(field): too long: a value has at most \(Format.maximumLength) bytes"
        }
    }
}
