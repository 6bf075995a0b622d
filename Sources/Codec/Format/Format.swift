/// The layout of the value of a characteristic or of the data of an advertisement.
package struct Format: Hashable, Sendable {
    /// The fields in wire order.
    package let fields: [Field]
    /// Other layouts for bytes that do not fit this one, in the order in which they are tried.
    package let alternatives: [Format]

    /// Whether a reading may be split into several notifications; bit 0 is set in all parts except the last one.
    package private(set) var isInParts = false

    /// Whether the reading is one value instead of named fields.
    package let hasOneValue: Bool

    /// The names of fields and bits to which conditions, lengths, counts and formulas refer.
    let references: Set<String>

    /// - Parameters:
    ///   - fields: The fields in wire order.
    ///   - alternatives: The layouts to try, in their order, for bytes that do not fit the fields.
    package init(_ fields: [Field], or alternatives: [Format] = []) {
        let references: Set<String> = fields.reduce(into: []) { $0.formUnion($1.references) }
        self.references = references
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
    }

    /// The same format, for readings that may be split into several notifications.
    var inParts: Format {
        var format = self
        format.isInParts = true
        return format
    }

    /// The quantities that a reading can show, in wire order and with distinct names.
    package var quantities: [Quantity] {
        var found: [Quantity] = []
        for quantity in fields.flatMap(\.quantities) {
            guard let index = found.firstIndex(where: { $0.name == quantity.name }) else {
                found.append(quantity)
                continue
            }
            if let unit = quantity.unit, unit != found[index].unit { found[index].otherUnit = unit }
        }
        return found
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
        case .bits, .record, .objects, .formula: false
        default: isShown
        }
    }

    /// The names of the fields and bits to which the field refers.
    fileprivate var references: Set<String> {
        var names = Set((when + bits.flatMap(\.when)).map(\.flag))
        for case .field(let name) in [content.length, count] { names.insert(name) }
        switch content {
        case .formula(let formula): names.formUnion(formula.expression.names)
        case .record(let record, _): names.formUnion(record.references)
        case .objects(let objects): for layout in objects.layouts.values { names.formUnion(layout.references) }
        default: break
        }
        return names
    }

    /// Whether other fields can refer to the number of the field, or to the numbers of its bits.
    var isOneNumber: Bool {
        switch content {
        case .number, .decimal, .bits, .value(.boolean, _), .value(.bit, _), .formula, .size, .checksum: count == nil
        default: false
        }
    }
}
