import Codec
import Testing

@testable import Configuration

@Suite struct QuestionFormatTests {
    private static let question: FormatContext = {
        var context = FormatContext()
        (context.isQuestion, context.allowsOuterNames) = (true, true)
        return context
    }()

    /// Reads a format in which only the names `station`, `status.cells`, `now` and `pin` exist outside.
    private func read(_ yaml: String, in context: FormatContext = question) throws -> Format {
        let kind = Kind<Format>("format") { node, mistakes in
            guard let entry = Format.located(in: context).read(node, mistakes) else { return nil }
            mistakes.check(entry.outerNames, among: ["station", "status.cells", "now", "pin"])
            return entry.format
        }
        return try kind.read(yaml: "[\(yaml)]", file: "format")
    }

    @Test(
        arguments: [
            (
                "{name: unit, type: uint8, value: station}, {name: register, type: uint16, endian: big}, "
                    + "{name: crc, type: uint16, checksum: crc16_modbus}", ["register": 256], "ff01004060"
            ),
            (
                "\"57\", {hex: \"11\", when: pin}, {hex: \"01\", when: not pin}, {name: arm, type: uint8}", ["arm": 2],
                "571102"
            ),
            ("{name: now, type: uint32, value: now}, {name: later, type: uint8, value: now % 7}", [:], "0a00000003"),
            (
                "\"FFAA\", {name: pin, type: utf8, value: pin}, {name: sum, type: uint8, checksum: sum, from: 2}", [:],
                "ffaa313263"
            ),
        ] as [(String, Value, String)])
    func `a question in YAML is encoded`(yaml: String, members: Value, bytes: String) throws {
        let environment: Environment = ["station": 255, "pin": "12", "now": 10]
        #expect(try read(yaml).encode(members, in: environment).bytes.hexadecimal == bytes)
    }

    @Test(
        arguments: [
            (
                "{name: a, type: uint8, value: stations}",
                "1:32: unknown name 'stations': did you mean 'station'?"
            ),
            ("{name: a, type: uint8, value: b}, {name: b, type: uint8}", "1:32: no earlier field or bit is named 'b'"),
            (
                "{name: a, type: uint8, count: 2, value: station}",
                "1:42: value: only a number, a text or bytes can have a formula: remove bits, count, checksum, size and "
                    + "fields"
            ),
            ("{name: a, type: uint8, when: status.cells = many}", "1:31: expected a whole number, found 'many'"),
        ])
    func `mistakes in a question are reported`(yaml: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try read(yaml) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func `the format of an answer has no formulas for bytes`() {
        var answer = FormatContext()
        answer.allowsOuterNames = true
        let error = #expect(throws: ConfigurationError.self) {
            try read("{name: a, type: uint8, value: now}", in: answer)
        }
        let message = "a calculated value has no bytes: write number or boolean, not uint8"
        #expect(error?.description.contains(message) == true)
    }

    @Test func `a characteristic without a question has no names from outside`() {
        let error = #expect(throws: ConfigurationError.self) {
            try read("{name: a, type: uint8, when: pin}", in: FormatContext())
        }
        #expect(error?.description.contains("no earlier field or bit is named 'pin'") == true)
    }
}
