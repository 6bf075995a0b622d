/// The layout of the value of a characteristic: its fields in wire order.
package struct Format: Hashable, Sendable {
    /// The fields in wire order.
    package let fields: [Field]
    /// Other layouts for bytes that do not fit this one, in the order in which they are tried.
    package let alternatives: [Format]

    /// Whether a reading may come in several parts, of which all but the last have flag 0 set.
    package private(set) var isInParts = false

    /// Whether the reading is one value, and not fields under their names.
    package let hasOneValue: Bool

    /// The names that conditions, lengths, counts and formulas refer to.
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
            // A bit that is neither shown nor referred to would only cost time.
            set.bits.removeAll { !$0.isShown && $0.meaning.range == nil && !references.contains($0.name) }
            if set.bits.isEmpty { return field }
            var field = field
            field.content = .bits(set)
            return field
        }
        hasOneValue = fields.count == 1 && fields[0].isOneValue
    }

    /// The same format, whose readings may come in several parts.
    var inParts: Format {
        var format = self
        format.isInParts = true
        return format
    }

    /// The quantities that a reading can show, in wire order, each name once.
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
    /// Whether the format contains a list of objects, which have names of their own.
    var hasObjects: Bool {
        fields.contains { field in
            if case .objects = field.content { true } else { false }
        }
    }
}

extension Field.Content {
    /// The length of a text or of a record; nil for content without a length of its own.
    var length: Extent? {
        switch self {
        case .text(_, _, let length), .record(_, let length): length
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

    /// The names that the field refers to.
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
        case .number, .bits, .value(.boolean, _), .value(.bit, _), .formula, .size, .checksum: count == nil
        default: false
        }
    }
}
