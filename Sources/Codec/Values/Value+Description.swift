import Bluetooth
import JSON

extension Value: CustomStringConvertible {
    /// The value in the notation of JSON.
    ///
    /// Bytes are hexadecimal digits, and a named number is its name.
    package var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the value in the notation of JSON to a text in UTF-8.
    package func append(to text: inout [UInt8]) {
        switch self {
        case .null: text += "null".utf8
        case .boolean(let isTrue): text += (isTrue ? "true" : "false").utf8
        case .number(let number): number.append(to: &text)
        case .string(let string), .named(let string, _): JSON.append(quoted: string, to: &text)
        case .bytes(let bytes): JSON.append(quoted: bytes.hexadecimal, to: &text)
        case .list(let elements): Self.append(elements, in: "[", "]", to: &text) { $0.append(to: &$1) }
        case .record(let record):
            Self.append(record, in: "{", "}", to: &text) { $0.value.append(named: $0.name, to: &$1) }
        }
    }

    /// Appends a name and the value in the notation of JSON to a text in UTF-8.
    package func append(named name: String, to text: inout [UInt8]) {
        JSON.append(quoted: name, to: &text)
        text.append(UInt8(ascii: ":"))
        append(to: &text)
    }

    private static func append<Elements: Collection>(
        _ elements: Elements, in opening: Unicode.Scalar, _ closing: Unicode.Scalar, to text: inout [UInt8],
        _ append: (Elements.Element, inout [UInt8]) -> Void
    ) {
        text.append(UInt8(ascii: opening))
        for (index, element) in elements.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            append(element, &text)
        }
        text.append(UInt8(ascii: closing))
    }
}
