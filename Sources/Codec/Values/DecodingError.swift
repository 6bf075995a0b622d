import Bluetooth

/// The reason why bytes do not fit a format.
package enum DecodingError: Error, Hashable, Sendable {
    /// The bytes end inside a field; `expected` and `found` are lengths in bytes.
    case tooShort(field: String, expected: Int, found: Int)
    /// Bytes are left after the last field; `expected` and `found` are lengths in bytes.
    case tooLong(expected: Int, found: Int)
    /// A field has a value that its format does not allow.
    case invalid(field: String, String)
    /// The field cannot be read without the value of a name from outside of the format.
    case needs(field: String, String)
}

extension DecodingError {
    /// Returns whether another error is of the same kind and concerns the same field, even if the bytes differ.
    func hasSameCause(as other: DecodingError) -> Bool {
        switch (self, other) {
        case (.tooShort(let field, _, _), .tooShort(let same, _, _)): field == same
        case (.invalid(let field, _), .invalid(let same, _)): field == same
        case (.needs(let field, _), .needs(let same, _)): field == same
        case (.tooLong, .tooLong): true
        default: false
        }
    }
}

extension DecodingError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooShort(let field, let expected, let found):
            "too short: \(expected.inBytes) expected up to the end of \(field), \(found) found"
        case .tooLong(let expected, let found): "too long: \(expected.inBytes) expected, \(found) found"
        case .invalid(let field, let reason): "\(field): \(reason)"
        case .needs(let field, let name): "\(field): needs \(name)"
        }
    }
}
