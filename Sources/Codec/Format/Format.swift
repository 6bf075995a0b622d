/// The layout of the value of a characteristic or of the data of an advertisement.
package struct Format: Hashable, Sendable {
    /// The fields in wire order.
    package private(set) var fields: [Field]
    /// Other layouts for bytes that do not fit this one, in the order in which they are tried.
    package private(set) var alternatives: [Format]

    /// Whether a reading may be split into several notifications; bit 0 is set in all parts except the last one.
    package private(set) var isInParts = false

    /// Whether the reading is one value instead of named fields.
    package let hasOneValue: Bool

    /// Whether fields have positions: they are then in any order, and the bytes of no field are ignored.
    package let hasPositions: Bool

    /// The names of fields and bits to which conditions, lengths, counts and formulas refer.
    let references: Set<String>

    /// The names that no earlier field defines: those of an `Environment`.
    package let outerNames: [OuterName]

    /// - Parameters:
    ///   - fields: The fields in wire order.
    ///   - alternatives: The layouts to try, in their order, for bytes that do not fit the fields.
    package init(_ fields: [Field], or alternatives: [Format] = []) {
        let ofFields = fields.map(\.references)
        var references: Set<String> = []
        for (field, ofField) in zip(fields, ofFields) {
            for (_, names, _) in ofField { references.formUnion(names) }
            references.formUnion(field.innerReferences)
        }
        self.references = references
        outerNames = references.isEmpty ? [] : Self.outerNames(of: fields, ofFields)
        self.alternatives = alternatives
        self.fields = fields.map { field in
            guard case .bits(var set) = field.content else { return field }
            // Bits that are neither shown nor referred to are removed, which saves time.
            set.bits.removeAll { !$0.isShown && $0.meaning.range == nil && !references.contains($0.name) }
            if set.bits.isEmpty { return field }
            var field = field
            field.content = .bits(set)
            return field
        }
        hasOneValue = fields.count == 1 && fields[0].isOneValue
        hasPositions = fields.contains { $0.position != nil }
    }

    /// Changes what values of the fields mean; names, sizes and references must stay.
    func withMeanings(_ change: (Field) -> Field) -> Format {
        var format = self
        format.fields = fields.map(change)
        format.alternatives = alternatives.map { $0.withMeanings(change) }
        return format
    }

    /// The number of bytes of the value; nil if it depends on the values of fields.
    package var fixedSize: Int? {
        fields.reduce(Optional(0)) { sum, field in
            guard let sum, field.count == nil, field.when.isEmpty, !field.isOptional else { return nil }
            return field.fixedSize.map { sum + $0 }
        }
    }

    /// The least number of bytes of a value: the end of the last field that is always present.
    package var minimumSize: Int {
        var (position, end) = (0, 0)
        for field in fields {
            if let start = field.position { position = Int(start) }
            guard field.when.isEmpty, !field.isOptional else { continue }
            position += field.minimumSize
            end = max(end, position)
        }
        return end
    }

    /// The same format, for readings that may be split into several notifications.
    var inParts: Format {
        var format = self
        format.isInParts = true
        return format
    }
}

extension Format {
    /// Whether the format contains a list of objects, which have their own names.
    var hasObjects: Bool {
        fields.contains { field in
            if case .objects = field.content { true } else { false }
        }
    }
}

extension Field.Content {
    /// The length of a text or of a record; nil for any other content, and if no length is given.
    var length: Extent? {
        switch self {
        case .text(_, _, let length), .record(_, let length), .decimal(_, let length, _): length
        default: nil
        }
    }
}

extension Field {
    /// Whether a reading shows the field as one value.
    fileprivate var isOneValue: Bool {
        switch content {
        case .bits, .record, .objects, .json, .formula: false
        default: isShown
        }
    }

    /// The names to which the fields in the field's record or objects refer.
    fileprivate var innerReferences: Set<String> {
        switch content {
        case .record(let record, _): record.references
        case .objects(let objects): objects.layouts.values.reduce(into: []) { $0.formUnion($1.references) }
        default: []
        }
    }

    /// Whether functions of formulas can refer to the list or the text of the field.
    var isListOrText: Bool {
        switch content {
        case .number, .decimal: count != nil
        case .text(.utf8, _, _), .text(.utf16, _, _), .terminatedText: count == nil
        default: false
        }
    }

    /// Whether other fields can refer to the number of the field, or to the numbers of its bits.
    var isOneNumber: Bool {
        switch content {
        case .number, .decimal, .bits, .value(.boolean, _), .value(.bit, _), .formula, .size, .checksum: count == nil
        default: false
        }
    }
}
