import JSON

/// Values for messages and for text without quotation marks.
extension Format {
    /// Whether the value is a single text, so that `12` and `true` can be texts too.
    package var isText: Bool { onlyForm == .text }

    /// Whether a text without quotation marks can be a value: a single text, date or named value.
    package var takesPlainText: Bool {
        switch onlyForm {
        case .text, .date, .dateTime, .timestamp, .named: true
        case .boolean, .number, .bytes, .list, .record, nil: false
        }
    }

    private var onlyForm: Quantity.Form? { hasOneValue ? quantities.first?.form : nil }

    /// A short value that can be encoded, for messages such as `expected JSON such as {"op":"start"}`; nil if there is
    /// none.
    package var example: Value? {
        let value = hasOneValue ? fields.first?.examples.first?.value : objectExample
        guard let value, (try? encode(value)) != nil else { return nil }
        return value
    }

    /// An object of the fields; nil if a field has no example.
    fileprivate var objectExample: Value? {
        // Conditions exclude fields that belong to other values of an operation code.
        let members = fields.filter { $0.when.isEmpty && !$0.isOptional && !$0.isFormula }.flatMap(\.examples)
        return members.contains { $0.value == nil } ? nil : .record(Record(members.compactMap(Self.member)))
    }

    private static func member(_ name: String, _ value: Value?) -> (String, Value)? {
        value.map { (name, $0) }
    }
}

extension Field {
    var isFormula: Bool {
        if case .formula = content { true } else { false }
    }
}

extension Field {
    /// The longest list in an example.
    private static let longestList = 8

    /// Short values that can be written, by name; nil for a value without an example.
    fileprivate var examples: [(name: String, value: Value?)] {
        guard isShown else { return [] }
        if let count {
            let number = if case .exactly(let number) = count { number } else { 1 }
            var element = self
            element.count = nil
            guard number <= Self.longestList, let value = element.examples.first?.value else { return [(name, nil)] }
            return [(name, .list([Value](repeating: value, count: number)))]
        }
        switch content {
        case .record(let record, _): return [(name, record.objectExample)]
        case .text(.bytes, _, .exactly(let length)):
            return [(name, .string([UInt8](repeating: 0, count: length).hexadecimal))]
        case .text(.utf8, _, .exactly(let length)): return [(name, .string(String("text".prefix(length))))]
        default: return quantities.map { ($0.name, $0.example) }
        }
    }
}

extension Quantity {
    /// A value that can be written; nil for lists and records.
    fileprivate var example: Value? {
        switch form {
        case .boolean: .boolean(true)
        case .number:
            if let range, !range.contains(1) { .number(range.lowerBound) } else { .number(1) }
        case .text: "text"
        case .bytes: "0a01"
        case .date: "2026-11-21"
        case .dateTime: "2026-11-21T05:09:00"
        case .timestamp: "2026-11-21T05:09:00+00:00"
        case .named(let names): names.first.map { .string($0) }
        case .list, .record: nil
        }
    }
}
