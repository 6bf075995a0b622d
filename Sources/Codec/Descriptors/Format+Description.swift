extension Format {
    /// The format of a characteristic as its own descriptors describe it; nil where they say nothing of its bytes.
    ///
    /// - Parameters:
    ///   - presentation: The bytes of the presentation format, 2904.
    ///   - description: The text of the user description, 2901; nil for a value without a name of its own.
    ///   - range: The bytes of the valid range, 2906: the least and the greatest value, for what is written; one that
    ///     contradicts itself or the format limits nothing.
    package init?(
        presentation: [UInt8], description: [UInt8]? = nil, range: [UInt8]? = nil
    ) throws(DecodingError) {
        let text = description.map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard var field = try PresentationFormat(presentation).field(named: Self.name(of: text)) else { return nil }
        if let range, let limits = field.limits(range) {
            field.meaning.range = limits
            field.meaning.rangeIsForWriting = true
        }
        self.init([field])
    }

    /// A description as a name: `Set point (°C)` becomes `set_point_c`.
    private static func name(of text: String) -> String {
        let words = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        return words.isEmpty ? "value" : words.joined(separator: "_")
    }
}

extension Field {
    /// The least and the greatest of its numbers that a valid range allows; nil for one that makes no sense.
    fileprivate func limits(_ range: [UInt8]) -> ClosedRange<Decimal>? {
        guard type.isNumber, count == nil, case .list(let values) = try? Format([times(2)]).decode(range).value,
            let least = values[0].number(), let greatest = values[1].number(), least <= greatest
        else { return nil }
        return least...greatest
    }
}
