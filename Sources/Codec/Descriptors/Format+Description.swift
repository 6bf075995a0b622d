extension Format {
    /// Creates the format of a characteristic from its descriptors; nil if the number of the format is reserved.
    ///
    /// - Parameters:
    ///   - presentation: The bytes of the Characteristic Presentation Format (2904).
    ///   - description: The text of the Characteristic User Description (2901), which becomes the name of the value;
    ///     nil for the name `value`.
    ///   - range: The bytes of the Valid Range (2906): the least and the greatest value, for writing only. An invalid
    ///     range is ignored.
    /// - Throws: `DecodingError` if the presentation format has the wrong length.
    package init?(
        presentation: [UInt8], description: [UInt8]? = nil, range: [UInt8]? = nil
    ) throws(DecodingError) {
        let text = description.map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard var field = try PresentationFormat(presentation).field(named: Self.name(of: text)) else { return nil }
        if let range, let limits = field.limits(range) {
            field = field.limited(to: limits, forWritingOnly: true)
        }
        self.init([field])
    }

    /// Returns the name for a user description: `Set point (°C)` becomes `set_point_c`.
    private static func name(of text: String) -> String {
        let words = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        return words.isEmpty ? "value" : words.joined(separator: "_")
    }
}

extension Field {
    /// Returns the least and the greatest number of a valid range; nil if the range is invalid.
    fileprivate func limits(_ range: [UInt8]) -> ClosedRange<Decimal>? {
        guard case .number = content, count == nil,
            case .list(let values) = try? Format([times(2)]).decode(range).value,
            let least = values[0].number(), let greatest = values[1].number(), least <= greatest
        else { return nil }
        return least...greatest
    }
}
