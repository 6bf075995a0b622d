/// A value that a format cannot write.
package enum EncodingError: Error, Hashable, Sendable {
    case missing(field: String)
    case unknown(field: String, known: [String])
    case invalid(field: String, expected: String, found: String)
    /// What the other members say leaves no place for these.
    case misplaced(fields: [String])
    /// With this field it would be more than a characteristic holds.
    case tooLong(field: String)
}

extension EncodingError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let field): "\(field) is missing"
        case .unknown(let field, let known):
            "there is no field \(field), only \(known.joined(separator: ", "))"
        case .invalid(let field, let expected, let found): "\(field): \(expected) is expected, not \(found)"
        case .misplaced(let fields):
            "there is no place for \(fields.joined(separator: ", ")) beside what the others say"
        case .tooLong(let field): "\(field): too long: a value has at most \(Format.mostBytes) bytes in all"
        }
    }
}
