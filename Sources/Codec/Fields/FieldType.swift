/// The type of a field in the words of a configuration: `uint16`, `utf8`, `record`.
package enum FieldType: Hashable, Sendable {
    case number(NumberType)
    case value(ValueType)
    case text(TextType)
    /// Text up to a NUL.
    case terminatedText
    case address
    /// A number that a formula calculates.
    case calculated
    case record

    /// Reads a word; nil for a word that is not a type of a configuration.
    package init?(_ word: String) {
        guard let type = Self.configurable.first(where: { $0.word == word }) else { return nil }
        self = type
    }

    /// The word for the type.
    package var word: String {
        switch self {
        case .number(let type): type.rawValue
        case .value(let type): type.rawValue
        case .text(let type): type.rawValue
        case .terminatedText: "utf8z"
        case .address: "address"
        case .calculated: "number"
        case .record: "record"
        }
    }

    /// The types that a configuration may name; the others exist for the formats that the program knows.
    package static let configurable: [FieldType] =
        [.value(.boolean)] + NumberType.allCases.map(Self.number)
        + [
            .text(.utf8), .text(.utf16), .terminatedText, .text(.bytes), .value(.date), .value(.dateTime),
            .value(.timestamp), .address, .text(.uuid), .text(.version), .calculated, .record,
        ]
}

extension Field {
    /// The type of the field in the words of a configuration; nil for a field that a configuration cannot describe.
    package var type: FieldType? {
        switch content {
        case .number(let number): number.usedBits == nil ? .number(number.type) : nil
        case .value(.bit, _): .value(.boolean)
        case .value(let type, _): .value(type)
        case .text(let type, _, _): .text(type)
        case .terminatedText: .terminatedText
        case .address: .address
        case .formula(let formula): formula.isBoolean ? .value(.boolean) : .calculated
        case .record: .record
        case .bits, .objects, .size, .checksum: nil
        }
    }
}
