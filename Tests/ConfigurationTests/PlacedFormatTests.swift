import Codec
import Configuration
import JSON
import Testing

/// Formats in YAML whose fields have positions, or whose lists have formulas.
@Suite struct PlacedFormatTests {
    private func format(_ yaml: String) throws -> Format {
        try Format.kind.read(yaml: "[\(yaml)]", file: "format")
    }

    @Test(
        arguments: [
            (
                "{name: b, at: 3, type: uint8}, {name: c, type: uint8}, {name: a, at: 1, type: uint8}", "0001020304",
                ["b": 3, "c": 4, "a": 1]
            ),
            // Bytes of no field are ignored, also those at the end.
            ("{name: a, at: 1, type: uint16, endian: big, scale: 0.1, unit: V}", "0001f40000", 50),
            ("\"DD\", {name: a, at: 2, type: uint8}", "dd0007ff", ["a": 7]),
            // The bytes up to the end need not be the last field.
            (
                "{name: t, at: 2, type: utf8}, {name: n, at: 0, type: uint8}", "05006162", ["t": "ab", "n": 5]
            ),
            (
                "{name: mask, at: 4, type: uint8, hidden: true}, "
                    + "{name: cells, at: 0, type: uint8, count: ones(mask)}", "0102030405", ["cells": [1, 2]]
            ),
            ("{name: f, type: uint8}, {name: x, at: 9, type: uint8, when: f}", "00", ["f": 0]),
            ("{name: f, type: uint8}, {name: x, at: 9, type: uint8, optional: true}", "00", ["f": 0]),
            (
                "{name: a, at: 1, type: uint8}, {name: s, at: 3, type: uint8, checksum: sum, from: 1, hidden: true}",
                "ff010203", ["a": 1]
            ),
        ] as [(String, String, Value)])
    func `Format reads fields at their positions`(yaml: String, bytes: String, value: Value) throws {
        let format = try format(yaml)
        #expect(try format.decode(try #require([UInt8](hexadecimal: bytes))).value == value)
        let error = #expect(throws: EncodingError.self) { try format.encode(value) }
        #expect(error?.description.hasSuffix("expected a format that can be written, found a format with at") == true)
    }

    @Test(
        arguments: [
            ("{name: a, at: 3, type: uint16}", "01020304", "too short: 5 bytes expected up to the end of a, 4 found"),
            ("{name: a, at: 9, type: uint16}", "01020304", "too short: 11 bytes expected up to the end of a, 4 found"),
            ("{name: a, at: 9, type: utf8}", "01020304", "too short: 9 bytes expected up to the end of a, 4 found"),
            (
                "{name: a, at: 9, type: uint8, count: rest}", "01",
                "too short: 10 bytes expected up to the end of a, 1 found"
            ),
            (
                "{name: n, type: uint8}, {name: a, at: 1, type: uint8, count: 8 / n}", "00",
                "a: '8 / n' has no result"
            ),
            (
                "{name: n, type: uint8}, {name: a, at: 1, type: uint8, count: n / 2}", "03",
                "a: n / 2 is 1.5, not a number from 0 to 65535"
            ),
            (
                "{name: n, type: uint8}, {name: a, at: 1, type: utf8, length: n - 2}", "01",
                "a: n - 2 is -1, not a number from 0 to 65535"
            ),
        ])
    func `bytes that are too short for a position or a formula are invalid`(
        yaml: String, bytes: String, message: String
    ) throws {
        let format = try format(yaml)
        let bytes = try #require([UInt8](hexadecimal: bytes))
        let error = #expect(throws: DecodingError.self) { try format.decode(bytes) }
        #expect(error?.description == message)
    }

    @Test func `a formula gives the length of a list or a text`() throws {
        let yaml =
            "{name: n, type: uint8}, {name: a, type: uint8, count: \"min(n, 2)\"}, {name: t, type: utf8, length: n - 1}"
        let format = try format(yaml)
        let value: Value = ["n": 3, "a": [7, 8], "t": "xy"]
        #expect(try format.decode([3, 7, 8, 0x78, 0x79]).value == value)
        #expect(try format.encode(value) == [3, 7, 8, 0x78, 0x79])
        #expect(throws: EncodingError.invalid(field: "a", expected: "a list of 2 elements", found: "[7]")) {
            try format.encode(["n": 3, "a": [7], "t": "xy"])
        }
    }

    @Test func `a hidden number in a formula of a length is not guessed`() throws {
        let format = try format("{name: n, type: uint8, hidden: true}, {name: a, type: uint8, count: n * 2}")
        #expect(throws: EncodingError.needs(field: "a", "n")) { try format.encode(["a": [1, 2]]) }
    }

    @Test func `a name with operators in it is the name of a field`() throws {
        let format = try format("{name: cell-count, type: uint8}, {name: a, type: uint8, count: cell-count}")
        #expect(try format.decode([2, 7, 8]).value == ["cell-count": 2, "a": [7, 8]])
    }

    @Test func `a formula uses a list or a text`() throws {
        let yaml = """
            {name: v, type: uint8, unknown: 255, count: 4}, {name: t, type: utf8, length: 3},
            {name: least, type: number, value: min(v)}, {name: spread, type: number, value: max(v) - min(v)},
            {name: total, type: number, value: sum(v)}, {name: average, type: number, value: mean(v)},
            {name: known, type: number, value: count(v)}, {name: second, type: number, value: "digit(t, 1)"}
            """
        let value = try format(yaml).decode([4, 255, 9, 2, 0x31, 0x37, 0x78]).value
        #expect(
            value == [
                "v": [4, .null, 9, 2], "t": "17x", "least": 2, "spread": 7, "total": 15, "average": 5, "known": 3,
                "second": 7,
            ])
    }

    @Test(
        arguments: [
            ("uint32", "ccddaabb", 0xAABB_CCDD), ("uint64", "7788556633441122", 0x1122_3344_5566_7788),
            ("uint16", "aabb", 0xAABB), ("uint8", "aa", 0xAA), ("sint32", "fffeffff", -2), ("float32", "00003f80", 1),
        ] as [(String, String, Value)])
    func `the words of a number in Modbus order are swapped`(type: String, bytes: String, value: Value) throws {
        let format = try format("{name: a, type: \(type), endian: word}")
        #expect(try format.decode(try #require([UInt8](hexadecimal: bytes))).value == value)
        #expect(try format.encode(value).hexadecimal == bytes)
    }

    @Test func `the words of bits and of a checksum in Modbus order are swapped`() throws {
        let format = try format(
            "{name: f, type: uint32, endian: word, bits: {16: high, 0: low}}, "
                + "{name: s, type: uint32, endian: word, checksum: sum, hidden: true}")
        let value: Value = ["high": true, "low": false]
        #expect(try format.decode([0, 0, 0, 1, 0, 1, 0, 0]).value == value)
        #expect(try format.encode(value) == [0, 0, 0, 1, 0, 1, 0, 0])
    }
}
