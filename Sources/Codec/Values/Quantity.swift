/// One of the things that a reading can show: what a consumer has to know before the first value arrives.
package struct Quantity: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case boolean
        case number
        case text
        case bytes
        /// `2026-11-21`
        case date
        /// `2026-11-21T05:09:00`, in the local time of the device.
        case dateTime
        /// `2026-11-21T05:09:00+00:00`
        case timestamp
        /// One of these names.
        case named([String])
        case list
        case record
    }

    package let name: String
    package let kind: Kind
    package let unit: String?
    package let homeAssistant: HomeAssistantClass?
    /// The least and the greatest value that can be written, where a number has limits.
    package let range: ClosedRange<Decimal>?
    /// The difference between two neighbouring values, where a number has a fixed one.
    package let step: Decimal?
    /// The unit that it has instead in readings in which one of the named values says so.
    package var otherUnit: String?
}

extension Quantity.Kind {
    /// What the name of something that is true or false tells Home Assistant.
    fileprivate func homeAssistant(named name: String) -> HomeAssistantClass? {
        self == .boolean ? .condition(named: name) : nil
    }
}

extension Field {
    /// What the field shows: itself, its bits, or nothing.
    package var quantities: [Quantity] {
        if let objects { return objects.quantities }
        guard bits.isEmpty else {
            let whole = showsBitsAsNumber ? [quantity(.number)] : []
            return whole + bits.filter(\.isShown).map(\.quantity)
        }
        return isShown ? [quantity(kind)] : []
    }

    private func quantity(_ kind: Quantity.Kind) -> Quantity {
        Quantity(
            name: name, kind: kind, unit: meaning.unit,
            homeAssistant: meaning.homeAssistant ?? kind.homeAssistant(named: name),
            range: expression == nil ? meaning.writableRange(integerRange) : nil,
            step: expression == nil && type.isInteger ? meaning.scale.magnitude : nil)
    }

    private var kind: Quantity.Kind {
        if count != nil { return .list }
        if let values = meaning.values {
            // Nobody chooses from a whole catalogue.
            return values.entries.count > 100 ? .text : .named(values.entries.map(\.name))
        }
        return switch type {
        case .boolean: .boolean
        case .utf8, .utf16, .utf8z, .address, .uuid, .version, .packedVersion, .compressedURL: .text
        case .bytes: .bytes
        case .date: .date
        case .dateTime: .dateTime
        case .timestamp: .timestamp
        case .record, .objects: .record
        default: .number
        }
    }
}

extension BitField {
    var quantity: Quantity {
        let kind: Quantity.Kind =
            if let values = meaning.values {
                .named(values.entries.map(\.name))
            } else {
                isBoolean ? .boolean : .number
            }
        return Quantity(
            name: name, kind: kind, unit: meaning.unit,
            homeAssistant: meaning.homeAssistant ?? kind.homeAssistant(named: name),
            range: kind == .number ? meaning.writableRange(limits) : nil,
            step: kind == .number ? meaning.scale.magnitude : nil)
    }
}

extension ObjectTable {
    /// What one object each of every kind would show.
    var quantities: [Quantity] {
        layouts.sorted { $0.key < $1.key }.flatMap { $0.value.fields.flatMap(\.quantities) }
    }
}
