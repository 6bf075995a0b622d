/// The type of a field as in a configuration, e.g.
///
/// `uint16`, `utf8` or `record`.
package enum FieldType: Hashable, Sendable {
    case number(NumberType)
    case value(ValueType)
    case text(TextType)
    /// Text up to a NUL.
    case terminatedText
    case address
    /// A number as text.
    case decimal
    /// A number that a formula calculates.
    case calculated
    case record

    /// Returns the type with a name from a configuration; nil for a name that is not allowed in a configuration.
    package init?(_ word: String) {
        guard let type = Self.configurable.first(where: { $0.word == word }) else { return nil }
        self = type
    }

    /// The name of the type in a configuration.
    package var word: String {
        switch self {
        case .number(let type): type.rawValue
        case .value(let type): type.rawValue
        case .text(let type): type.rawValue
        case .terminatedText: "utf8z"
        case .address: "address"
        case .decimal: "decimal"
        case .calculated: "number"
        case .record: "record"
        }
    }

    /// The types that a configuration may use; only built-in formats use the other types.
    package static let configurable: [FieldType] =
        [.value(.boolean)] + NumberType.allCases.map(Self.number)
        + [
            .text(.utf8), .text(.utf16), .terminatedText, .text(.bytes), .value(.date), .value(.dateTime),
            .value(.timestamp), .decimal, .address, .text(.uuid), .text(.version), .calculated, .record,
        ]
}

extension Field {
    /// The type of the field in a configuration; nil for a field whose content has no type of its own.
    package var type: FieldType? {
        switch content {
        case .number(let number): number.usedBits == nil ? .number(number.type) : nil
        case .value(.bit, _): .value(.boolean)
        case .value(let type, _): .value(type)
        case .timestamp: .value(.timestamp)
        case .text(let type, _, _): .text(type)
        case .terminatedText(let terminator): terminator == 0 ? .terminatedText : .text(.utf8)
        case .decimal: .decimal
        case .address: .address
        case .formula(let formula): formula.isBoolean ? .value(.boolean) : .calculated
        case .record: .record
        case .bits, .objects, .json, .size, .checksum, .constant: nil
        }
    }
}
