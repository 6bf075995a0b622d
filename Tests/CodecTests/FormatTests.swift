import Codec
import Testing

@Suite struct FormatTests {
    /// The relay of the contract, with a state in bits and texts behind it.
    static let relay: Format = {
        var level = Field("level", .uint16)
        level.endian = .big
        level.scale = 0.1
        level.unit = "%"
        level.unknown = [0xFFFF]
        return Format([Field("channel", .uint8), level])
    }()

    static let status: Format = {
        var flags = Field("flags", .uint8)
        var mode = BitField("mode", 1...2)
        mode.values = NamedValues([0: "off", 1: "heat", 2: "cool"])
        flags.bits = [BitField("open", 0...0), mode, BitField("level", 3...5), BitField("has_label", 7...7)]
        var label = Field("label", .utf8)
        label.length = 4
        label.when = [Condition("has_label")]
        var samples = Field("samples", .sint16)
        samples.scale = 0.5
        samples.offset = 10
        samples.count = .exactly(2)
        var rest = Field("rest", .bytes)
        rest.when = [Condition("mode", equals: 2)]
        return Format([flags, label, samples, rest])
    }()

    @Test func `several fields stand under their names`() throws {
        let reading = try Self.relay.decode([1, 0x01, 0xF4])
        #expect(Value.record(reading.payload) == ["channel": 1, "level": 50])
        #expect(reading == .fields([.init(name: "channel", value: 1), .init(name: "level", value: 50, unit: "%")]))
    }

    @Test func `one field is a value with its unit`() throws {
        let reading = try Format([Self.relay.fields[1]]).decode([0x00, 0x01])
        #expect(Value.record(reading.payload) == ["value": 0.1, "unit": "%"])
    }

    @Test func `the raw value for not known is null, and null is written as it`() throws {
        #expect(try Self.relay.decode([1, 0xFF, 0xFF]).value == ["channel": 1, "level": .null])
        #expect(try Self.relay.encode(["channel": 1, "level": .null]) == [1, 0xFF, 0xFF])
    }

    @Test func `bits, names, texts, lists and the rest`() throws {
        let bytes: [UInt8] = [0b1010_1101, 0x61, 0x62, 0, 0, 0x02, 0x00, 0xFD, 0xFF, 7, 8]
        let expected: Value = [
            "open": true, "mode": .named("cool", number: 2), "level": 5, "has_label": true, "label": "ab",
            "samples": [11, 8.5], "rest": .bytes([7, 8]),
        ]
        #expect(try Self.status.decode(bytes).value == expected)
        #expect(try Self.status.encode(expected) == bytes)
    }

    @Test func `a configured name is written by name or by number, and an unknown number stays a number`() throws {
        let bytes: [UInt8] = [0b0000_0110, 0, 0, 0, 0]
        let reading = try Self.status.decode(bytes)
        #expect(reading.payload["mode"] == 3)
        #expect(try Self.status.encode(reading.value) == bytes)
        let named: Value = ["open": false, "mode": "heat", "level": 0, "has_label": false, "samples": [10, 10]]
        #expect(try Self.status.encode(named) == [0b0000_0010, 0, 0, 0, 0])
    }

    @Test func `a named number has its number beside it`() throws {
        let location = try #require(Characteristics.definition(named: "body_sensor_location")).format
        #expect(try location.decode([1]).payload["value"] == .named("chest", number: 1))
        #expect(try location.decode([1]).payload["number"] == 1)
        #expect(try location.encode("chest") == [1])
        #expect(try location.encode(1) == [1])
    }

    @Test(
        arguments: [
            ([], "channel: too short: 1 byte expected up to the end of this field, 0 found"),
            ([1, 2], "level: too short: 3 bytes expected up to the end of this field, 2 found"),
            ([1, 2, 3, 4], "too long: 3 bytes expected, 4 found"),
        ] as [([UInt8], String)])
    func `bytes that do not fit are refused with the reason`(bytes: [UInt8], reason: String) {
        let error = #expect(throws: DecodingError.self) { try Self.relay.decode(bytes) }
        #expect(error?.description == reason)
    }

    @Test(
        arguments: [
            (["channel": 1], "level is missing"),
            (["channel": 1, "level": 1, "leval": 2], "there is no field leval, only channel, level"),
            (["channel": 256, "level": 1], "channel: a number from 0 to 255 is expected, not 256"),
            (["channel": -1, "level": 1], "channel: a number from 0 to 255 is expected, not -1"),
            (["channel": 1, "level": 6553.6], "level: a number from 0 to 6553.5 is expected, not 6553.6"),
            (
                ["channel": 1, "level": 6553.5],
                "level: another number (this one means “not known”) is expected, not 6553.5"
            ),
            (["channel": "1", "level": 1], "channel: a number is expected, not \"1\""),
            (["channel": .null, "level": 1], "channel: a number is expected, not null"),
            (["channel": 1.5, "level": 1], "channel: a number in steps of 1 is expected, not 1.5"),
            (5, "value: an object with channel, level is expected, not 5"),
        ] as [(Value, String)])
    func `a value that does not fit is refused with what was expected`(value: Value, reason: String) {
        let error = #expect(throws: EncodingError.self) { try Self.relay.encode(value) }
        #expect(error?.description == reason)
    }

    @Test func `a number is written to the nearest step of its scale`() throws {
        #expect(try Self.relay.encode(["channel": 1, "level": 12.34]) == [1, 0, 123])
        #expect(try Self.relay.encode(["channel": 1.0, "level": 12.36]) == [1, 0, 124])
    }

    @Test func `what only counts or chooses is not rounded`() throws {
        var (offset, bits) = (Field("offset", .sint8), Field("bits", .uint8))
        offset.offset = -40
        bits.bits = [BitField("low", 0...3), BitField("high", 4...7)]
        let format = Format([offset, bits])
        #expect(try format.encode(["offset": -39, "low": 1, "high": 2]) == [1, 0x21])
        #expect(throws: EncodingError.self) { try format.encode(["offset": -38.5, "low": 1, "high": 2]) }
        #expect(throws: EncodingError.self) { try format.encode(["offset": -39, "low": 0.5, "high": 2]) }
    }

    @Test func `a list has its count, a text its length`() {
        var record: Value = [
            "open": false, "mode": 0, "level": 0, "has_label": true, "label": "abcde", "samples": [1, 2],
        ]
        #expect(
            throws: EncodingError.invalid(field: "label", expected: "a text of at most 4 bytes", found: "\"abcde\"")
        ) {
            try Self.status.encode(record)
        }
        record = ["open": false, "mode": 0, "level": 0, "has_label": false, "samples": [1]]
        #expect(throws: EncodingError.invalid(field: "samples", expected: "a list of 2", found: "[1]")) {
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
    func `a value outside the specification is refused`(name: String, value: Value) throws {
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
    func `a value is written as the specification says`(name: String, value: Value, hex: String) throws {
        let format = try #require(Characteristics.definition(named: name)).format
        #expect(try format.encode(value) == [UInt8](hexadecimal: hex))
    }

    @Test func `a text is as long as another value says, within reason`() throws {
        var text = Field("text", .utf8)
        text.length = .field("length")
        let format = Format([Field("length", .uint64), text])
        #expect(try format.encode(["length": 3, "text": "ab"]) == [3, 0, 0, 0, 0, 0, 0, 0, 0x61, 0x62, 0])
        for length: Value in [65_536, 4_000_000_000, 4_611_686_018_427_387_904] {
            #expect(throws: EncodingError.self) { try format.encode(["length": length, "text": "ab"]) }
        }
    }

    // Each of a hundred thousand texts, filled up to its length, would have been 64 KiB.
    @Test func `no more is written than a characteristic holds`() throws {
        var names = Field("names", .utf8)
        names.length = .field("length")
        names.count = .toTheEnd
        let format = Format([Field("length", .uint16), names])
        let many = Value.list(Array(repeating: "", count: 100_000))
        for (length, list) in [(65_535, many), (512, ["", ""]), (255, many)] as [(Int64, Value)] {
            #expect(throws: EncodingError.tooLong(field: "names")) {
                try format.encode(["length": .number(Decimal(length)), "names": list])
            }
        }
        #expect(try format.encode(["length": 255, "names": ["", ""]]).count == 512)
        #expect(throws: EncodingError.tooLong(field: "text")) {
            try Format([Field("text", .utf8)]).encode(.string(String(repeating: "a", count: 513)))
        }
    }

    @Test func `a value that a formula has otherwise is refused`() throws {
        let raw = Field("raw", .uint8)
        var doubled = Field("doubled", .number)
        doubled.expression = try Expression("raw * 2")
        let format = Format([raw, doubled])
        #expect(try format.encode(["raw": 4, "doubled": 8]) == [4])
        #expect(try format.encode(["raw": 4]) == [4])
        #expect(
            throws: EncodingError.invalid(
                field: "doubled", expected: "no value, or 8, as it follows from other fields,", found: "9")
        ) {
            try format.encode(["raw": 4, "doubled": 9])
        }
    }

    @Test func `what a length or a count announces is kept`() throws {
        var (text, list) = (Field("text", .utf8), Field("list", .uint8))
        text.length = .field("length")
        list.count = .field("length")
        let format = Format([Field("length", .uint8), text, list])
        let bytes: [UInt8] = [2, 0x61, 0, 7, 8]
        #expect(try format.encode(try format.decode(bytes).value) == bytes)
        #expect(throws: EncodingError.invalid(field: "list", expected: "a list of 2", found: "[7]")) {
            try format.encode(["length": 2, "text": "a", "list": [7]])
        }
    }

    @Test func `a record of a fixed length keeps no bytes back that its own size leaves out`() throws {
        var (size, record) = (Field("n", .uint8), Field("record", .record))
        size.isSizeOfRecord = true
        record.length = 5
        record.record = Format([size, Field("v", .uint8)])
        let format = Format([record, Field("next", .uint8)])
        #expect(throws: DecodingError.tooLong(expected: 2, found: 5)) {
            try format.decode([0x02, 0x07, 0xAA, 0xBB, 0xCC, 0x01])
        }
        record.length = 2
        #expect(
            try Format([record, Field("next", .uint8)]).decode([0x02, 0x07, 0x01]).value
                == ["record": ["n": 2, "v": 7], "next": 1])
    }

    // Each of them is 512 times in the one around it.
    @Test func `lists of records without bytes are refused, however many are announced`() throws {
        let part = Field("part", .uint8)
        var format = Format([Field("count", .uint16), part])
        for _ in 0..<6 {
            var (list, optional) = (Field("list", .record), part)
            optional.isOptional = true
            list.count = 512
            list.record = format.fields.count == 1 ? format : Format([optional])
            format = Format([list])
        }
        try format.validate()
        #expect(throws: DecodingError.self) { try format.decode([]) }
        #expect(throws: DecodingError.self) { try format.decode([1, 2, 3]) }
    }

    @Test func `a condition that a formula makes counts as 0 or 1`() throws {
        var (far, sum) = (Field("far", .boolean), Field("sum", .number))
        far.expression = try Expression("distance / 7")
        sum.expression = try Expression("far * 3")
        let format = Format([Field("distance", .uint8), far, sum])
        #expect(try format.decode([70]).value == ["distance": 70, "far": true, "sum": 3])
        #expect(try format.encode(try format.decode([70]).value) == [70])
    }

    @Test func `a short UUID fills four bytes`() throws {
        var uuid = Field("uuid", .uuid)
        uuid.length = 4
        #expect(try Format([uuid]).encode("2A6E") == [0x6E, 0x2A, 0, 0])
    }
}
