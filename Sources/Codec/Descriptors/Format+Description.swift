extension Format {
    /// The format of a characteristic as its own descriptors describe it; nil where they say nothing of its bytes.
    ///
    /// - Parameters:
    ///   - presentation: The bytes of the presentation format, 2904.
    ///   - description: The text of the user description, 2901; nil for a value without a name of its own.
    ///   - range: The bytes of the valid range, 2906: the least and the greatest value, for what is written.
    package init?(
        presentation: [UInt8], description: [UInt8]? = nil, range: [UInt8]? = nil
    ) throws(DecodingError) {
        let text = description.map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard var field = try PresentationFormat(presentation).field(named: Self.name(of: text)) else { return nil }
        if let range, field.type.isNumber {
            let ends = try Format([field.times(2)]).decode(range).value
            guard case .list(let values) = ends, let least = values[0].number(), let greatest = values[1].number(),
                least <= greatest
            else { throw .invalid(field: "valid_range", "the least value is above the greatest") }
            field.meaning.range = least...greatest
        }
        self.init([field])
    }

    /// A description as a name: `Set point (°C)` becomes `set_point_c`.
    private static func name(of text: String) -> String {
        let words = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        return words.isEmpty ? "value" : words.joined(separator: "_")
    }
}
