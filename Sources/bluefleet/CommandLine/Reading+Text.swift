import Codec

extension Reading {
    /// The reading as text: `21.53 °C`, or one line per field.
    var text: String {
        switch self {
        case .value(let value, let unit):
            return value.text(in: unit)
        case .fields(let members):
            let width = members.map(\.name.count).max() ?? 0
            return members.map { "\($0.name.padded(to: width))  \($0.value.text(in: $0.unit))" }
                .joined(separator: "\n")
        }
    }
}

extension Value {
    /// The value as text, with its unit if it has one.
    func text(in unit: String?) -> String {
        switch self {
        case .null: "not known"
        case .boolean(let isTrue): String(isTrue)
        case .number(let number): number.description + (unit.map { " \($0)" } ?? "")
        case .string(let text), .named(let text, _): text.printable
        case .bytes(let bytes): bytes.hexadecimal
        case .list(let elements): elements.map { $0.text(in: unit) }.joined(separator: ", ")
        case .record: description
        }
    }
}
