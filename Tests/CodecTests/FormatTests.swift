import Codec
import JSON
import Testing

@Suite struct FormatTests {
    /// The relay of the example configuration: a channel and a level.
    static let relay = Format([
        .number("channel", .uint8), Field.number("level", .uint16, 0.1, "%", unknown: [0xFFFF]).bigEndian,
    ])

    static let status: Format = {
        var mode = BitField("mode", 1...2)
        mode.values = NamedValues([0: "off", 1: "heat", 2: "cool"])
        return Format([
            .bits(.uint8, [BitField("open", 0...0), mode, BitField("level", 3...5), BitField("has_label", 7...7)]),
            Field.text("label", length: 4).when("has_label"),
            Field.number("samples", .sint16, 0.5, offset: 10).times(2), Field.bytes("rest").when("mode", is: 2),
        ])
    }()

    @Test func `a reading has several fields under their names`() throws {
        let reading = try Self.relay.decode([1, 0x01, 0xF4])
        #expect(Value.record(reading.payload) == ["channel": 1, "level": 50])
        #expect(reading == .fields([.init(name: "channel", value: 1), .init(name: "level", value: 50, unit: "%")]))
    }

    @Test func `a reading of one field is a value with its unit`() throws {
        let reading = try Format([Self.relay.fields[1]]).decode([0x00, 0x01])
        #expect(Value.record(reading.payload) == ["value": 0.1, "unit": "%"])
    }

    @Test func `the raw number for "not known" decodes as null and back`() throws {
        #expect(try Self.relay.decode([1, 0xFF, 0xFF]).value == ["channel": 1, "level": .null])
        #expect(try Self.relay.encode(["channel": 1, "level": .null]) == [1, 0xFF, 0xFF])
    }

    @Test func `a format decodes bits, names, texts, lists and the rest`() throws {
        let bytes: [UInt8] = [0b1010_1101, 0x61, 0x62, 0, 0, 0x02, 0x00, 0xFD, 0xFF, 7, 8]
        let expected: Value = [
            "open": true, "mode": .named("cool", number: 2), "level": 5, "has_label": true, "label": "ab",
            "samples": [11, 8.5], "rest": .bytes([7, 8]),
        ]
        #expect(try Self.status.decode(bytes).value == expected)
        #expect(try Self.status.encode(expected) == bytes)
    }

    @Test func `a named value is written by name or number, and a number without a name stays a number`() throws {
        let bytes: [UInt8] = [0b0000_0110, 0, 0, 0, 0]
        let reading = try Self.status.decode(bytes)
        #expect(reading.payload["mode"] == 3)
        #expect(try Self.status.encode(reading.value) == bytes)
        let named: Value = ["open": false, "mode": "heat", "level": 0, "has_label": false, "samples": [10, 10]]
        #expect(try Self.status.encode(named) == [0b0000_0010, 0, 0, 0, 0])
    }

    @Test func `a named value has its number beside it`() throws {
        let location = try #require(Characteristics.definition(named: "body_sensor_location")).format
        #expect(try location.decode([1]).payload["value"] == .named("chest", number: 1))
        #expect(try location.decode([1]).payload["number"] == 1)
        #expect(try location.encode("chest") == [1])
        #expect(try location.encode(1) == [1])
    }

    @Test(
        arguments: [
            ([], "too short: 1 byte expected up to the end of channel, 0 found"),
            ([1, 2], "too short: 3 bytes expected up to the end of level, 2 found"),
            ([1, 2, 3, 4], "too long: 3 bytes expected, 4 found"),
        ] as [([UInt8], String)])
    func `decoding reports why bytes do not fit`(bytes: [UInt8], reason: String) {
        let error = #expect(throws: DecodingError.self) { try Self.relay.decode(bytes) }
        #expect(error?.description == reason)
    }

    @Test(
        arguments: [
            (["channel": 1], "level is missing"),
            (["channel": 1, "level": 1, "leval": 2], "unknown field leval: the fields are channel, level"),
            (["channel": 256, "level": 1], "channel: expected a number from 0 to 255, found 256"),
            (["channel": -1, "level": 1], "channel: expected a number from 0 to 255, found -1"),
            (["channel": 1, "level": 6553.6], "level: expected a number from 0 to 6553.5, found 6553.6"),
            (
                ["channel": 1, "level": 6553.5],
                "level: expected another number, because this one means \"not known\", found 6553.5"
            ),
            (["channel": "1", "level": 1], "channel: expected a number, found \"1\""),
            (["channel": .null, "level": 1], "channel: expected a number, found null"),
            (["channel": 1.5, "level": 1], "channel: expected a number in steps of 1, found 1.5"),
            (5, #"value: expected an object such as {"channel":1,"level":1}, found 5"#),
        ] as [(Value, String)])
    func `encoding reports what it expected`(value: Value, reason: String) {
        let error = #expect(throws: EncodingError.self) { try Self.relay.encode(value) }
        #expect(error?.description == reason)
    }

    @Test func `encoding rounds a number to the nearest step of its scale`() throws {
        #expect(try Self.relay.encode(["channel": 1, "level": 12.34]) == [1, 0, 123])
        #expect(try Self.relay.encode(["channel": 1.0, "level": 12.36]) == [1, 0, 124])
    }

    @Test func `encoding does not round a number without a scale`() throws {
        let format = Format([
            .number("offset", .sint8, offset: -40), .bits(.uint8, [BitField("low", 0...3), BitField("high", 4...7)]),
        ])
        #expect(try format.encode(["offset": -39, "low": 1, "high": 2]) == [1, 0x21])
        #expect(throws: EncodingError.self) { try format.encode(["offset": -38.5, "low": 1, "high": 2]) }
        #expect(throws: EncodingError.self) { try format.encode(["offset": -39, "low": 0.5, "high": 2]) }
    }

    @Test func `encoding checks the count of a list and the length of a text`() {
        var record: Value = [
            "open": false, "mode": 0, "level": 0, "has_label": true, "label": "abcde", "samples": [1, 2],
        ]
        #expect(
            throws: EncodingError.invalid(field: "label", expected: "a text of at most 4 bytes", found: "\"abcde\"")
        ) {
            try Self.status.encode(record)
        }
        record = ["open": false, "mode": 0, "level": 0, "has_label": false, "samples": [1]]
        #expect(throws: EncodingError.invalid(field: "samples", expected: "a list of 2 elements", found: "[1]")) {
            try Self.status.encode(record)
        }
    }

    @Test(
        arguments: [
            ("battery_level", 101), ("battery_level", -1), ("humidity", 100.01), ("temperature", -300),
            ("dst_offset", 3),
            ("dst_offset", "summer"), ("boolean", 2), ("date_utc", "1969-12-31"), ("date_utc", "2026-02-29"),
            ("date_time", "70000-01-01T00:00:00"), ("model_number_string", 5), ("time_exponential_8", 66_560_642),
            ("coefficient", "x"),
        ] as [(String, Value)])
    func `encoding rejects a value outside the specification`(name: String, value: Value) throws {
        let format = try #require(Characteristics.definition(named: name)).format
        #expect(throws: EncodingError.self) { try format.encode(value) }
    }

    @Test(
        arguments: [
            ("temperature", 21.53, "6908"), ("temperature", .null, "0080"), ("date_utc", "2024-08-12", "eb4d00"),
            ("fixed_string_8", "abc", "6162630000000000"), ("weight", 75, "983a"), ("boolean", true, "01"),
            ("time_exponential_8", 2.6, "4a"), ("coefficient", -1.5, "0000c0bf"),
            ("methane_concentration", 20400, "cc20"),
            ("temperature", ["value": 21.53], "6908"),
        ] as [(String, Value, String)])
    func `encoding follows the specification`(name: String, value: Value, hex: String) throws {
        let format = try #require(Characteristics.definition(named: name)).format
        #expect(try format.encode(value) == [UInt8](hexadecimal: hex))
    }

    @Test func `encoding limits a length that another field gives`() throws {
        let format = Format([.number("length", .uint64), .text("text", length: .field("length"))])
        #expect(try format.encode(["length": 3, "text": "ab"]) == [3, 0, 0, 0, 0, 0, 0, 0, 0x61, 0x62, 0])
        for length: Value in [65_536, 4_000_000_000, 4_611_686_018_427_387_904] {
            #expect(throws: EncodingError.self) { try format.encode(["length": length, "text": "ab"]) }
        }
    }

    // Each of the 100,000 texts would have 64 KiB, filled up to its length.
    @Test func `encoding writes at most 512 bytes`() throws {
        let names = Field.text("names", length: .field("length")).toTheEnd
        let format = Format([.number("length", .uint16), names])
        let many = Value.list(Array(repeating: "", count: 100_000))
        for (length, list) in [(65_535, many), (512, ["", ""]), (255, many)] as [(Int64, Value)] {
            #expect(throws: EncodingError.tooLong(field: "names")) {
                try format.encode(["length": .number(Decimal(length)), "names": list])
            }
        }
        #expect(try format.encode(["length": 255, "names": ["", ""]]).count == 512)
        #expect(throws: EncodingError.tooLong(field: "text")) {
            try Format([.text("text")]).encode(.string(String(repeating: "a", count: 513)))
        }
    }

    @Test func `an optional length that the value omits is written if there are bytes`() throws {
        let length = Field.number("length", .uint8).hidden.optional
        let format = Format([
            .number("op", .uint8), length, .text("text", length: .field("length")), .calculated("double", "length * 2"),
        ])
        #expect(try format.decode([7]).value == ["op": 7, "text": "", "double": .null])
        #expect(try format.encode(["op": 7, "text": "", "double": .null]) == [7])
        #expect(try format.encode(["op": 7, "text": "abc"]) == [7, 3, 0x61, 0x62, 0x63])
        #expect(try format.decode([7, 3, 0x61, 0x62, 0x63]).value == ["op": 7, "text": "abc", "double": 6])
    }

    @Test func `an optional flag that the value omits is written if there are bytes`() throws {
        let flag = Field.number("flag", .uint8).hidden.optional
        let format = Format([
            .number("op", .uint8), flag, .number("level", .uint8).when("flag"), .truth("is_set", "flag"),
        ])
        #expect(try format.decode([7]).value == ["op": 7, "is_set": .null])
        #expect(try format.encode(["op": 7, "is_set": .null]) == [7])
        #expect(try format.encode(["op": 7, "level": 9]) == [7, 1, 9])
        #expect(try format.decode([7, 1, 9]).value == ["op": 7, "level": 9, "is_set": true])
    }

    @Test func `a formula over a field that is absent because of another one is null in both directions`() throws {
        let format = Format([
            .number("op", .uint8), .number("level", .uint8).when("op"),
            .calculated("half", "level / 2").when("level"), .calculated("double", "level * 2"),
        ])
        #expect(try format.decode([0]).value == ["op": 0, "double": .null])
        #expect(try format.encode(["op": 0, "double": .null]) == [0])
        #expect(try format.decode([1, 4]).value == ["op": 1, "level": 4, "half": 2, "double": 8])
        #expect(try format.encode(["op": 1, "level": 4]) == [1, 4])
    }

    @Test func `encoding rejects a value that contradicts its formula`() throws {
        let format = Format([.number("raw", .uint8), .calculated("doubled", "raw * 2")])
        #expect(try format.encode(["raw": 4, "doubled": 8]) == [4])
        #expect(try format.encode(["raw": 4]) == [4])
        #expect(
            throws: EncodingError.invalid(
                field: "doubled", expected: "no value, or 8, which follows from other fields", found: "9")
        ) {
            try format.encode(["raw": 4, "doubled": 9])
        }
    }

    @Test func `encoding keeps a given length or count`() throws {
        var list = Field.number("list", .uint8)
        list.count = .field("length")
        let format = Format([.number("length", .uint8), .text("text", length: .field("length")), list])
        let bytes: [UInt8] = [2, 0x61, 0, 7, 8]
        #expect(try format.encode(try format.decode(bytes).value) == bytes)
        #expect(throws: EncodingError.invalid(field: "list", expected: "a list of 2 elements", found: "[7]")) {
            try format.encode(["length": 2, "text": "a", "list": [7]])
        }
    }

    @Test func `a record rejects bytes between its size and its fixed length`() throws {
        func format(length: Int) -> Format {
            let record = Field.record("record", [.size("n", .uint8), .number("v", .uint8)], length: .exactly(length))
            return Format([record, .number("next", .uint8)])
        }
        #expect(throws: DecodingError.tooLong(expected: 2, found: 5)) {
            try format(length: 5).decode([0x02, 0x07, 0xAA, 0xBB, 0xCC, 0x01])
        }
        #expect(
            try format(length: 2).decode([0x02, 0x07, 0x01]).value
                == ["record": ["n": 2, "v": 7], "next": 1])
    }

    // Each list contains the inner one 512 times.
    @Test func `decoding rejects lists of records without bytes`() throws {
        var fields = [Field.number("part", .uint8).optional]
        for _ in 0..<6 { fields = [.record("list", fields).times(512)] }
        let format = Format(fields)
        try format.validate()
        #expect(throws: DecodingError.self) { try format.decode([]) }
        #expect(throws: DecodingError.self) { try format.decode([1, 2, 3]) }
    }

    @Test func `a boolean formula counts as 0 or 1`() throws {
        let format = Format([
            .number("distance", .uint8), .truth("far", "distance / 7"), .calculated("sum", "far * 3"),
        ])
        #expect(try format.decode([70]).value == ["distance": 70, "far": true, "sum": 3])
        #expect(try format.encode(try format.decode([70]).value) == [70])
    }

    @Test func `a 16-bit UUID fills four bytes`() throws {
        #expect(try Format([.uuid("uuid", length: 4)]).encode("2A6E") == [0x6E, 0x2A, 0, 0])
    }
}
