/// The description of one value that a reading can show, available before the first reading.
package struct Quantity: Hashable, Sendable {
    /// The form of the values.
    package enum Form: Hashable, Sendable {
        case boolean
        case number
        case text
        case bytes
        /// A date such as `2026-11-21`.
        case date
        /// A date and time such as `2026-11-21T05:09:00`, in the local time of the device.
        case dateTime
        /// A date and time in UTC such as `2026-11-21T05:09:00+00:00`.
        case timestamp
        /// One of the given names.
        case named([String])
        case list
        case record
    }

    /// The name of the value in a reading.
    package let name: String
    /// The form of the values.
    package let form: Form
    /// The unit, in the spelling of Home Assistant; nil for a value without a unit.
    package let unit: String?
    /// The physical meaning; nil for a setting, a counter or a fact about the device.
    package let kind: Kind?
    /// The least and the greatest value that can be written; nil for a value that is not a number with limits.
    package let range: ClosedRange<Decimal>?
    /// The difference between two consecutive values; nil if there is no fixed difference.
    package let step: Decimal?
    /// The second unit of the value, if each reading has one of two units; nil if all readings have the same unit.
    package var otherUnit: String?
    /// The members of a record, or the description that all elements of a list share; empty for any other form.
    package var parts: [Quantity] = []
    /// The greatest number of elements of a list; nil if only the length of the bytes limits it.
    package var count: Int?
    /// Whether a list always has `count` elements.
    package var hasFixedCount = false

    package init(
        name: String, form: Form, unit: String?, kind: Kind?, range: ClosedRange<Decimal>?, step: Decimal?
    ) {
        self.name = name
        self.form = form
        self.unit = unit
        self.kind = kind
        self.range = range
        self.step = step
    }
}

extension Field {
    /// The quantities that a reading shows for the field: the field, its bits or objects, or none.
    package var quantities: [Quantity] {
        switch content {
        case .objects(let objects): objects.quantities
        case .json(let json): json.members.map(\.quantity)
        case .bits(let set):
            (set.showsNumber ? [quantity(.number, in: set.type.range, step: 1)] : [])
                + set.bits.filter(\.isShown).map(\.quantity)
        case .number(let number):
            isShown
                ? [
                    quantity(
                        form, in: number.integerRange, number.meaning,
                        step: number.type.isInteger ? number.meaning.scale.magnitude : nil)
                ] : []
        case .size(let type), .checksum(_, let type, _):
            isShown ? [quantity(form, in: type.range, step: 1)] : []
        default: isShown ? [quantity(form, meaning ?? Meaning())] : []
        }
    }

    private func quantity(
        _ form: Quantity.Form, in limits: ClosedRange<Int128>? = nil, _ meaning: Meaning = Meaning(),
        step: Decimal? = nil
    ) -> Quantity {
        var element = Quantity(
            name: name, form: form, unit: unit, kind: kind ?? form.kind(named: name),
            range: meaning.writableRange(limits), step: step)
        if case .record(let format, _) = content { element.parts = format.quantities }
        guard let count else { return element }
        var list = Quantity(name: name, form: .list, unit: unit, kind: kind, range: element.range, step: step)
        list.parts = [element]
        if case .exactly(let number) = count {
            list.count = number
            list.hasFixedCount = true
        }
        return list
    }

    /// The greatest number of the field or of its bits with a name; nil if there is none.
    fileprivate func greatestNumber(named name: String) -> Int? {
        if let bit = bits.first(where: { $0.name == name }) {
            return bit.meaning.writableRange(bit.limits)?.upperBound.integer
        }
        guard self.name == name, let (range, meaning) = wholeNumber else { return nil }
        return meaning.writableRange(range)?.upperBound.integer
    }

    /// The form of the value, or of each element of a list.
    private var form: Quantity.Form {
        if let values = meaning?.values {
            // A person does not choose from a list of more than 100 names.
            return values.entries.count > 100 ? .text : .named(values.names)
        }
        return switch content {
        case .value(.boolean, _), .value(.bit, _): .boolean
        case .formula(let formula): formula.isBoolean ? .boolean : .number
        case .value(.date, _): .date
        case .value(.dateTime, _): .dateTime
        case .value(.timestamp, _), .timestamp: .timestamp
        case .value(.packedVersion, _), .terminatedText, .address: .text
        case .constant: .bytes
        case .text(let type, _, _): type == .bytes ? .bytes : .text
        case .record, .objects, .json: .record
        case .value(.exponentialTime, _), .number, .decimal, .bits, .size, .checksum: .number
        }
    }
}

extension Format {
    /// The quantities of the fields in wire order; the count of a list is the greatest number of the field that contains it.
    var fieldQuantities: [Quantity] {
        fields.flatMap { field in
            guard case .field(let name)? = field.count else { return field.quantities }
            let greatest = fields.lazy.compactMap { $0.greatestNumber(named: name) }.first
            return field.quantities.map { quantity in
                var list = quantity
                list.count = greatest
                return list
            }
        }
    }

    /// The quantities that a reading can show, in wire order and with distinct names.
    package var quantities: [Quantity] {
        var found: [Quantity] = []
        for quantity in fieldQuantities {
            guard let index = found.firstIndex(where: { $0.name == quantity.name }) else {
                found.append(quantity)
                continue
            }
            if let unit = quantity.unit, unit != found[index].unit { found[index].otherUnit = unit }
        }
        return found
    }
}

extension BitField {
    fileprivate var quantity: Quantity {
        let form: Quantity.Form =
            if let values = meaning.values {
                .named(values.names)
            } else {
                isBoolean ? .boolean : .number
            }
        return Quantity(
            name: name, form: form, unit: unit, kind: kind ?? form.kind(named: name),
            range: form == .number ? meaning.writableRange(limits) : nil,
            step: form == .number ? meaning.scale.magnitude : nil)
    }
}

extension Quantity.Form {
    /// Returns the kind of a boolean with this name; nil for any other form, and if the name has no known meaning.
    fileprivate func kind(named name: String) -> Quantity.Kind? {
        self == .boolean ? Quantity.Condition(named: name).map { .condition($0) } : nil
    }
}

extension ObjectTable {
    /// The quantities of one object of each tag, in the order of the tags.
    var quantities: [Quantity] {
        layouts.sorted { $0.key < $1.key }.flatMap { $0.value.fields.flatMap(\.quantities) }
    }
}
