/// Bytes that do not fit a format.
package enum DecodingError: Error, Hashable, Sendable {
    /// The bytes end inside a field.
    case tooShort(field: String, expected: Int, found: Int)
    /// Bytes are left after the last field.
    case tooLong(expected: Int, found: Int)
    /// A field holds what it must not.
    case invalid(field: String, String)
}

extension DecodingError {
    /// Whether other bytes failed in the same field, whatever was in it.
    func isOfOneKind(with other: DecodingError) -> Bool {
        switch (self, other) {
        case (.tooShort(let field, _, _), .tooShort(let same, _, _)): field == same
        case (.invalid(let field, _), .invalid(let same, _)): field == same
        case (.tooLong, .tooLong): true
        default: false
        }
    }
}

extension DecodingError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooShort(let field, let expected, let found):
            "\(field): too short: \(bytes(expected)) expected up to the end of this field, \(found) found"
        case .tooLong(let expected, let found): "too long: \(bytes(expected)) expected, \(found) found"
        case .invalid(let field, let reason): "\(field): \(reason)"
        }
    }

    private func bytes(_ count: Int) -> String { count == 1 ? "1 byte" : "\(count) bytes" }
}
