/// How the bytes of a characteristic are read and written: fields in wire order.
package struct Format: Hashable, Sendable {
    package let fields: [Field]
    /// Other layouts of the same thing, for bytes that do not fit this one, in the order in which they are tried.
    package let alternatives: [Format]

    /// Whether a reading may come in several parts, of which all but the last have the lowest flag set.
    package private(set) var isInParts = false

    /// Whether its reading is one value and not fields under their names.
    package let hasOneValue: Bool

    /// The names that conditions, lengths, counts and expressions refer to.
    let references: Set<String>

    package init(_ fields: [Field], or alternatives: [Format] = []) {
        let references: Set<String> = fields.reduce(into: []) { $0.formUnion($1.references) }
        self.references = references
        self.alternatives = alternatives
        let fields = fields.map { field in
            // A bit that is neither shown nor referred to would only cost time.
            let bits = field.bits.filter {
                $0.isShown || $0.meaning.range != nil || references.contains($0.name)
            }
            var field = field
            if !bits.isEmpty { field.bits = bits }
            return field
        }
        self.fields = fields
        hasOneValue = fields.count == 1 && fields[0].isOneValue
    }

    /// The same format, of which a reading may come in parts.
    var inParts: Format {
        var format = self
        format.isInParts = true
        return format
    }

    /// What a reading can show, in wire order, each name once.
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

extension Field {
    /// Whether it is shown as one value.
    fileprivate var isOneValue: Bool {
        bits.isEmpty && record == nil && objects == nil && expression == nil && isShown
    }

    /// The names that it refers to.
    fileprivate var references: Set<String> {
        var names = Set((when + bits.flatMap(\.when)).map(\.flag))
        for case .field(let name) in [length, count] { names.insert(name) }
        if let expression { names.formUnion(expression.names) }
        if let record { names.formUnion(record.references) }
        for layout in objects?.layouts.values ?? [:].values { names.formUnion(layout.references) }
        return names
    }
}
