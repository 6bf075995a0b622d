import Codec
import Testing

/// Values that change some fields of the last value.
@Suite struct ChangedFieldTests {
    private static let lamp = Format([
        .number("brightness", .uint8), .number("colour", .uint16),
        .bits(.uint8, [BitField("on", 0...0), BitField("mode", 1...3)]),
    ])

    private static let last: Value = ["brightness": 10, "colour": 300, "on": true, "mode": 5]

    @Test(
        arguments: [
            (["brightness": 40], "282c010b"), (["colour": 1], "0a01000b"), (["on": false], "0a2c010a"),
            (["mode": 0, "brightness": 0], "002c0101"),
        ] as [(Value, String)])
    func `the other fields and bits keep their last values`(changes: Value, hex: String) throws {
        #expect(throws: EncodingError.self) { try Self.lamp.encode(changes) }
        #expect(Self.lamp.canComplete(changes))
        #expect(try Self.lamp.encode(changes, changing: Self.last).hexadecimal == hex)
    }

    @Test func `a wrong value or name is rejected`() {
        #expect(throws: EncodingError.invalid(field: "brightness", expected: "a number from 0 to 255", found: "256")) {
            try Self.lamp.encode(["brightness": 256], changing: Self.last)
        }
        #expect(throws: EncodingError.unknown(field: "x", known: ["brightness", "colour", "on", "mode"])) {
            try Self.lamp.encode(["x": 1], changing: Self.last)
        }
    }

    @Test func `a length follows from the changed text, a checksum and a formula from the changed fields`() throws {
        let format = Format([
            .number("length", .uint8), .text("text", length: .field("length")), .number("a", .uint8),
            .calculated("double", "a * 2"),
        ])
        let last: Value = ["length": 2, "text": "ab", "a": 3, "double": 6]
        #expect(try format.encode(["text": "abc"], changing: last).hexadecimal == "0361626303")
        #expect(try format.encode(["a": 4], changing: last).hexadecimal == "02616204")
    }

    @Test func `the result of a hidden number is kept, and is replaced by another result of it`() throws {
        let format = Format([
            Field.number("raw", .uint8).hidden, .number("other", .uint8),
            .calculated("celsius", "raw - 40"),
            .calculated("double", "raw * 2"),
        ])
        let last: Value = ["other": 1, "celsius": 20, "double": 120]
        #expect(try format.encode(["other": 2], changing: last).hexadecimal == "3c02")
        #expect(try format.encode(["celsius": 21], changing: last).hexadecimal == "3d01")
        #expect(try format.encode(["double": 130], changing: last).hexadecimal == "4101")
    }

    @Test func `a field that a condition excludes is rejected, and fields of a former mode are left out`() throws {
        let level = Field.number("level", .uint8).when("mode", is: 1)
        let delay = Field.number("delay", .uint8).when("mode", is: 2)
        let format = Format([.number("mode", .uint8), level, delay, .number("other", .uint8)])
        let last: Value = ["mode": 1, "level": 7, "other": 9]
        #expect(try format.encode(["level": 8], changing: last) == [1, 8, 9])
        #expect(try format.encode(["mode": 2, "delay": 5], changing: last) == [2, 5, 9])
        #expect(throws: EncodingError.misplaced(fields: ["delay"], rule: "mode is 2; mode is 1")) {
            try format.encode(["delay": 5], changing: last)
        }
        let flag = Format([
            .bits(.uint8, [BitField("on", 0...0)]), .number("level", .uint8).when("on"), .number("x", .uint8),
        ])
        #expect(throws: EncodingError.misplaced(fields: ["level"], rule: nil)) {
            try flag.encode(["level": 5], changing: ["on": false, "x": 1])
        }
    }

    @Test func `members of a record inside keep their values`() throws {
        let inner = Format([.number("x", .uint8), .number("y", .uint8)])
        let format = Format([.record("point", inner.fields), .number("z", .uint8)])
        let last: Value = ["point": ["x": 1, "y": 2], "z": 3]
        #expect(try format.encode(["point": ["y": 5]], changing: last) == [1, 5, 3])
    }

    @Test func `an operation is not completed: its argument is no state`() throws {
        let format = Format([
            .names("op", NamedValues([1: "start", 2: "set"])), .number("speed", .uint8).when("op", is: 2),
        ])
        #expect(!format.canComplete(["op": "set"]))
        #expect(format.changeableQuantities.isEmpty)
        #expect(!Format([.number("level", .uint8)]).canComplete(["value": 1]))
    }

    @Test func `lengths, lists, checksums and conditional fields cannot be changed alone`() throws {
        var list = Field.number("list", .uint8)
        list.count = .exactly(2)
        let format = Format([
            .number("length", .uint8), .text("text", length: .field("length")), list,
            .number("level", .uint8).when("length"), .number("speed", .uint8),
            Field("sum", .checksum(.sum, .uint8, unknown: [])),
        ])
        #expect(format.changeableQuantities.map(\.name) == ["text", "speed"])
    }

    @Test func `limits apply to written values only`() throws {
        var description = FieldDescription("level", .number(.uint8))
        description.least = 10
        description.greatest = 90
        let format = Format([try description.field()])
        #expect(try format.decode([95]).value == 95)
        #expect(try format.encode(10) == [10])
        for value in [9, 91] as [Value] {
            #expect(
                throws: EncodingError.invalid(
                    field: "level", expected: "a number from 10 to 90", found: value.description)
            ) {
                try format.encode(value)
            }
        }
        #expect(format.quantities.first?.range == 10...90)
    }

    @Test func `limits of a calculated value apply to the number that it determines`() throws {
        var description = FieldDescription("celsius", .calculated)
        description.formula = try Expression("raw - 40")
        (description.least, description.greatest) = (5, 30)
        let format = Format([Field.number("raw", .uint8).hidden, .number("other", .uint8), try description.field()])
        #expect(try format.encode(["celsius": 30, "other": 1]) == [70, 1])
        #expect(throws: EncodingError.invalid(field: "celsius", expected: "a number from 5 to 30", found: "31")) {
            try format.encode(["celsius": 31, "other": 1])
        }
        #expect(try format.decode([120, 1]).value == ["other": 1, "celsius": 80])
    }

    @Test func `an example contains lists, records and texts of a fixed length`() throws {
        var list = Field.number("list", .uint8)
        list.count = .exactly(2)
        let inner = Format([.number("x", .uint8)])
        let format = Format([
            .text("name", length: .exactly(2)), list, .record("point", inner.fields),
            .bytes("raw", length: .exactly(1)),
        ])
        #expect(format.example == ["name": "te", "list": [1, 1], "point": ["x": 1], "raw": "00"])
    }
}
