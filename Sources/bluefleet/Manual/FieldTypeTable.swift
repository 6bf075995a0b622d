import Codec
import Configuration
import JSON

/// The table of the types of fields in the reference, each with an example.
enum FieldTypeTable {
    static var markdown: String {
        let intro = """
            ## Types of a field

            The values of `type`. The bytes of each example are those of the value in the last column; \
            `bluefleet decode --format '[…]' HEX` decodes them. Numbers, dates and texts have the byte order of `endian`.

            | type | bytes | meaning | example | bytes and value |
            |---|---|---|---|---|
            """
        return ([intro] + FieldType.configurable.map(row)).joined(separator: "\n")
    }

    private static func row(_ type: FieldType) -> String {
        let (fields, value) = example(of: type)
        let (bytes, reading) = sample(fields, value)
        let cells = [
            "`\(type.word)`", type.size.map(String.init) ?? "any", type.summary, "`\(fields)`",
            "`\(bytes)` `\(reading)`",
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }

    /// Returns the bytes of a value, and the value that these bytes have as text.
    private static func sample(_ fields: String, _ value: Value) -> (bytes: String, reading: String) {
        do {
            let format = try Format.kind.read(yaml: "[\(fields)]", file: "example")
            let bytes = try format.encode(value)
            let payload = try format.decode(bytes).payload
            return (bytes.hexadecimal, (payload["value"] ?? .record(payload)).description)
        } catch {
            preconditionFailure("the example \(fields) is wrong: \(error)")
        }
    }

    /// Returns the fields of a format with a field of a type, and a value.
    private static func example(of type: FieldType) -> (fields: String, value: Value) {
        let word = type.word
        switch type {
        case .number(let number) where !number.isInteger:
            return ("{name: level, type: \(word)}", .number(Decimal(215, exponent: -1)))
        case .number(let number):
            let value: Value = number.integerRange.map { $0.contains(-1) } == true ? -100 : 100
            return ("{name: level, type: \(word)}", value)
        case .value(.date): return ("{name: day, type: \(word)}", "2026-11-21")
        case .value(.dateTime): return ("{name: start, type: \(word)}", "2026-11-21T05:09:00")
        case .value(.timestamp): return ("{name: start, type: \(word)}", "2026-11-21T05:09:00Z")
        case .value: return ("{name: open, type: \(word)}", true)
        case .text(.bytes): return ("{name: code, type: \(word), length: 2}", "0a01")
        case .text(.uuid): return ("{name: service, type: \(word), length: 2}", "181A")
        case .text(.version): return ("{name: firmware, type: \(word), length: 3}", "1.2.3")
        case .text, .terminatedText: return ("{name: label, type: \(word)}", "North")
        case .decimal: return ("{name: level, type: \(word)}", .number(Decimal(215, exponent: -1)))
        case .address: return ("{name: sender, type: \(word)}", "C0:00:00:00:00:01")
        case .calculated:
            return (
                "{name: half, type: uint8, hidden: true}, {name: level, type: \(word), value: half * 2}", ["level": 200]
            )
        case .record:
            return ("{name: tank, type: \(word), fields: [{name: level, type: uint8}]}", ["tank": ["level": 100]])
        }
    }
}
