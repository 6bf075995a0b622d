import Codec
import Configuration
import JSON
import Testing

/// Formats in YAML, with the bytes and the value that they represent.
@Suite struct WrittenFormatTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let format: String
        let bytes: String
        let value: Value
        /// The bytes that are written for the value; nil: the same bytes.
        var written: String?

        var testDescription: String { "\(format) \(bytes)" }
    }

    private static let cases = [
        // Bytes after NUL are not text.
        Case(
            format: "{name: a, type: utf8, length: 8}", bytes: "4b75636865004142", value: "Kuche",
            written: "4b75636865000000"),
        Case(format: "{name: a, type: utf8, length: 3}", bytes: "00ff41", value: "", written: "000000"),
        Case(
            format: "{name: a, type: utf8z, length: 8}", bytes: "4b75636865004142", value: "Kuche",
            written: "4b75636865000000"),
        Case(
            format: "{name: a, type: utf16, length: 6}", bytes: "410000004200", value: "A", written: "410000000000"),
        // Constants.
        Case(format: "DD A5, {name: a, type: uint8}, 77", bytes: "dda50377", value: ["a": 3]),
        Case(format: "5?, {name: a, type: uint8}", bytes: "5703", value: ["a": 3], written: "5003"),
        Case(
            format: "{name: on, type: boolean}, {hex: AA, when: on}, {hex: \"55\", when: not on}", bytes: "0055",
            value: ["on": false]),
        Case(format: "{name: a, type: uint8}, rest", bytes: "030405", value: ["a": 3], written: "03"),
        Case(
            format: "{name: op, type: uint8, hidden: true, values: {7: start}}, {name: a, type: uint8}", bytes: "0703",
            value: ["a": 3]),
        // Bits and names.
        Case(
            format: "{name: f, type: uint8, hidden: true, bits: {0: x, 1: y}}, {name: a, type: uint8, when: y}",
            bytes: "0209", value: ["a": 9]),
        Case(
            format: "{name: a, type: uint8, values: {0: off, 1: 'on', 2: 'on'}}", bytes: "02",
            value: .named("on", number: 2)),
        // Times.
        Case(
            format: "{name: t, type: timestamp, offset: 946684800}", bytes: "00000000",
            value: "2000-01-01T00:00:00+00:00"),
        Case(
            format: "{name: t, type: timestamp, length: 8, scale: 0.001}", bytes: "7b68e5cf8b010000",
            value: "2023-11-14T22:13:20.123+00:00"),
        Case(
            format: "{name: t, type: timestamp, length: 6, endian: big, scale: 0.001, unknown: 0}",
            bytes: "000000000000",
            value: .null),
        Case(
            format: "{name: t, type: timestamp, scale: 60, unknown: 0xFFFFFFFF}", bytes: "ffffffff", value: .null),
        // A scale with many digits.
        Case(
            format: "{name: a, type: uint32, scale: 9.313225746154785e-10}", bytes: "00000020", value: 0.5),
        Case(format: "{name: a, type: uint8, scale: 0.3333333333333333}", bytes: "06", value: 2),
        Case(
            format: "{name: a, type: uint8, scale: 0.00390625}", bytes: "01",
            value: .number(Decimal(390625, exponent: -8))),
        // Numbers in a text.
        Case(format: "{name: a, type: decimal}", bytes: "2d31322e35", value: -12.5),
        Case(format: "{name: a, type: decimal}", bytes: "202b372e30200d0a", value: 7, written: "37"),
        Case(format: "{name: a, type: decimal, length: 6}", bytes: "32312e350000", value: 21.5),
        Case(
            format:
                "{name: t, type: decimal, until: \",\"}, {name: h, type: decimal, until: \",\"}, {name: n, type: utf8}",
            bytes: "32312e352c34302c6b6974", value: ["t": 21.5, "h": 40, "n": "kit"]),
        Case(
            format: "{name: n, type: utf8, until: \";\"}, {name: t, type: decimal, scale: 0.1}", bytes: "613b323135",
            value: ["n": "a", "t": 21.5]),
        Case(format: "{name: t, type: decimal, until: \",\", count: rest}", bytes: "312c322c", value: [1, 2]),
        // Checksums.
        Case(
            format: "DDA5, {name: a, type: uint8}, {name: b, type: uint8}, {name: s, type: uint16, endian: big, "
                + "checksum: negative_sum, from: 2, hidden: true}, 77", bytes: "dda50400fffc77",
            value: ["a": 4, "b": 0]),
        Case(
            format: "{name: a, type: uint8}, {name: s, type: uint8, checksum: sum, plus: 1, hidden: true}",
            bytes: "0506",
            value: ["a": 5]),
        Case(
            format: "{name: a, type: utf8, length: 9}, {name: s, type: uint16, hidden: true, "
                + "checksum: {width: 16, poly: 0x1021, init: 0xFFFF}}", bytes: "313233343536373839b129",
            value: ["a": "123456789"]),
        Case(
            format: "{name: a, type: utf8, length: 9}, {name: s, type: uint8, hidden: true, checksum: crc8_maxim}",
            bytes: "313233343536373839a1", value: ["a": "123456789"]),
    ]

    private func format(_ yaml: String) throws -> Format {
        try Format.kind.read(yaml: "[\(yaml)]", file: "format")
    }

    @Test(arguments: cases) func `a format in YAML decodes and encodes`(example: Case) throws {
        let format = try format(example.format)
        let bytes = try #require([UInt8](hexadecimal: example.bytes))
        #expect(try format.decode(bytes).value == example.value)
        #expect(try format.encode(example.value).hexadecimal == example.written ?? example.bytes)
    }

    @Test(
        arguments: [
            ("DDA5, {name: a, type: uint8}", "DDA603", "constant: expected the bytes DDA5, found DDA6"),
            ("{name: a, type: decimal}", "2e2e", "a: expected a number as text, found '..'"),
            (
                "AA, {name: a, type: uint8}, {name: s, type: uint8, checksum: sum, from: 1}", "AA05AF",
                "s: wrong checksum: expected 5, found 175"
            ),
        ])
    func `bytes that do not fit a format are invalid`(yaml: String, bytes: String, message: String) throws {
        let format = try format(yaml)
        let bytes = try #require([UInt8](hexadecimal: bytes))
        let error = #expect(throws: DecodingError.self) { try format.decode(bytes) }
        #expect(error?.description == message)
    }

    @Test func `a text with NUL cannot be written`() throws {
        for yaml in ["{name: a, type: utf8, length: 8}", "{name: a, type: utf8z}", "{name: a, type: utf16}"] {
            let format = try format(yaml)
            #expect(throws: EncodingError.self) { try format.encode("a\0b") }
        }
    }
}
