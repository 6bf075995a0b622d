package import JSON

extension JSON {
    /// Converts a decoded value: bytes become hexadecimal digits, and a named number becomes its name.
    package init(_ value: Codec.Value) {
        switch value {
        case .null: self = .null
        case .boolean(let isTrue): self = .bool(isTrue)
        case .number(let number): self = .number(verbatim: number.description)
        case .string(let text), .named(let text, _): self = .string(text)
        case .bytes(let bytes): self = .string(bytes.hexadecimal)
        case .list(let elements): self = .array(elements.map { JSON($0) })
        case .record(let record): self = .object(Object(record.map { ($0.name, JSON($0.value)) }))
        }
    }
}

extension Value {
    /// Converts JSON without rounding; nil if the digits of a number do not fit 128 bits.
    package init?(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let isTrue): self = .boolean(isTrue)
        case .string(let text): self = .string(text)
        case .number(let number):
            guard let decimal = Decimal(number.text) else { return nil }
            self = .number(decimal)
        case .array(let elements):
            let values = elements.compactMap(Value.init)
            guard values.count == elements.count else { return nil }
            self = .list(values)
        case .object(let members):
            let values = members.compactMap { member in
                Value(member.value).map { Record.Member(name: member.name, value: $0) }
            }
            guard values.count == members.count else { return nil }
            self = .record(Record(distinct: values))
        }
    }
}
