import Bluetooth
import Codec
import Testing

@Suite struct DescriptorTests {
    @Test(
        arguments: [
            ("0400ad27010000", "37", 55, "%"), ("06fead27010000", "8813", 50, "%"),
            ("14002f27010000", "0000ac41", 21.5, "°C"), ("17002f27010000", "6c0100ff", 36.4, "°C"),
            ("19000027010000", "4f4b", "OK", nil), ("0efe2f27010000", "6908", 21.53, "°C"),
            ("01000027010000", "01", true, nil),
            ("0a0325270100 00".filter { $0 != " " }, "0200000000000000", 2000, "J"),
        ] as [(String, String, Value, String?)])
    func `PresentationFormat decodes its characteristic`(
        descriptor: String, hex: String, value: Value, unit: String?
    ) throws {
        let bytes = try #require([UInt8](hexadecimal: descriptor))
        let format = try #require(try Format(presentation: bytes))
        try format.validate()
        #expect(
            try format.decode(try #require([UInt8](hexadecimal: hex))) == .value(value, unit: unit))
        #expect(try format.encode(value).hexadecimal == hex)
    }

    @Test func `descriptors determine the name and the range for writing`() throws {
        let format = try #require(
            try Format(
                presentation: [0x0E, 0xFE, 0x2F, 0x27, 1, 0, 0], description: Array("Set point (°C)".utf8),
                range: [0x60, 0xF0, 0x64, 0x00]))
        #expect(format.quantities.map(\.name) == ["set_point_c"])
        #expect(format.quantities.map(\.range) == [-40...1])
        #expect(try format.encode(0.5) == [50, 0])
        #expect(throws: EncodingError.self) { try format.encode(1.01) }
    }

    @Test func `a valid range does not limit reading`() throws {
        let format = try #require(try Format(presentation: [4, 0, 0, 0x27, 1, 0, 0], range: [0x00, 0x64]))
        #expect(try format.decode([0xFF]).value == 255)
        #expect(throws: EncodingError.invalid(field: "value", expected: "a number from 0 to 100", found: "255")) {
            try format.encode(255)
        }
    }

    @Test(
        arguments: [("04", "6400"), ("04", "00"), ("04", ""), ("04", "006400"), ("18", "01000200"), ("16", "ff070000")])
    func `an invalid range is ignored`(number: String, range: String) throws {
        let presentation = try HexadecimalText("\(number)000027010000").bytes
        let format = try #require(
            try Format(presentation: presentation, range: [UInt8](hexadecimal: range)))
        #expect(format == (try Format(presentation: presentation)))
    }

    // Assigned Numbers, Format Types: the number is in the least significant bits; the other bits are 0 and ignored.
    @Test(
        arguments: [
            ("01", "00", false, "02"), ("01", "01", true, "ff"), ("02", "00", 0, "04"), ("02", "03", 3, "07"),
            ("03", "0f", 15, "1f"), ("05", "0000", 0, "0010"), ("05", "ff0f", 4095, "ffff"),
            ("0d", "ff0f", -1, "ffff"), ("0d", "0008", -2048, "00f8"), ("0d", "ff07", 2047, "ff17"),
        ] as [(String, String, Value, String)])
    func `unused bits of a format are written as 0 and ignored when read`(
        number: String, hex: String, value: Value, other: String
    ) throws {
        let format = try #require(try Format(presentation: HexadecimalText("\(number)000027010000").bytes))
        #expect(try format.encode(value).hexadecimal == hex)
        for hex in [hex, other] { #expect(try format.decode(HexadecimalText(hex).bytes).value == value) }
    }

    @Test(
        arguments: [("02", 4), ("02", -1), ("03", 16), ("05", 4096), ("0d", 2048), ("0d", -2049)]
            as [(String, Value)])
    func `numbers that do not fill their bytes have limits`(number: String, value: Value) throws {
        let format = try #require(try Format(presentation: HexadecimalText("\(number)000027010000").bytes))
        #expect(throws: EncodingError.self) { try format.encode(value) }
    }

    @Test(
        arguments: [("02", "03", 3), ("03", "03", 3), ("04", "03", 0.3), ("05", "0300", 0.3), ("0d", "fd0f", -0.3)]
            as [(String, String, Value)])
    func `the exponent applies to numbers from uint8 on`(number: String, hex: String, value: Value) throws {
        let format = try #require(try Format(presentation: HexadecimalText("\(number)ff0027010000").bytes))
        #expect(try format.decode(HexadecimalText(hex).bytes).value == value)
    }

    @Test(
        arguments: [
            ("02", "03", 3), ("03", "0f", 15), ("04", "ff", 255), ("05", "ff0f", 4095), ("06", "ffff", 65535),
            ("07", "ffffff", 16_777_215), ("08", "ffffffff", 4_294_967_295),
            ("09", "ffffffffffff", 281_474_976_710_655),
            ("0a", "ffffffffffffffff", .number(Decimal(UInt64.max))), ("0b", String(repeating: "ab", count: 16), nil),
            ("0c", "80", -128), ("0d", "0008", -2048), ("0e", "0080", -32768), ("0f", "000080", -8_388_608),
            ("10", "00000080", -2_147_483_648), ("11", "000000000080", -140_737_488_355_328),
            ("12", "0000000000000080", .number(Decimal(Int64.min))), ("13", String(repeating: "80", count: 16), nil),
            ("14", "0000ac41", 21.5), ("15", "0000000000803540", 21.5), ("16", "6cf1", 36.4), ("17", "6c0100ff", 36.4),
            ("18", "01000200", [1, 2]), ("19", "c2b0", "°"), ("1a", "b0003dd889de", "°🚉"), ("1b", "0102ff", nil),
            ("1c", "0102ff", nil),
        ] as [(String, String, Value?)])
    func `every assigned format is decoded and encoded`(number: String, hex: String, value: Value?) throws {
        let bytes = try HexadecimalText(hex).bytes
        let format = try #require(try Format(presentation: HexadecimalText("\(number)000027010000").bytes))
        try format.validate()
        #expect(try format.decode(bytes).value == value ?? .bytes(bytes))
        #expect(try format.encode(format.decode(bytes).value) == bytes)
    }

    @Test(arguments: [("1a", "3dd8"), ("1a", "4100b0"), ("18", "0100"), ("06", "01")])
    func `a presentation format rejects bytes that do not fit`(number: String, hex: String) throws {
        let format = try #require(try Format(presentation: HexadecimalText("\(number)000027010000").bytes))
        let bytes = try HexadecimalText(hex).bytes
        #expect(throws: DecodingError.self) { try format.decode(bytes) }
    }

    @Test(arguments: [0x00, 0x1D, 0xFF] as [UInt8])
    func `a reserved format has no field`(number: UInt8) throws {
        #expect(try Format(presentation: [number, 0, 0, 0x27, 1, 0, 0]) == nil)
    }

    @Test(arguments: ["", "0400ad270100", "0400ad2701000000"])
    func `PresentationFormat rejects a descriptor of another length`(hex: String) throws {
        let bytes = try #require([UInt8](hexadecimal: hex))
        #expect(throws: DecodingError.self) { try Format(presentation: bytes) }
    }

    @Test(
        arguments: [
            ("2902", "0100", ["notifications": true, "indications": false]),
            ("2907", "192a", ["value": "2A19"]),
            ("2908", "0103", ["report_id": 1, "report_type": .named("feature", number: 3), "report_type_number": 3]),
            ("2909", "08", ["value": 8]),
            ("290B", "00", ["value": .named("and", number: 0), "number": 0]),
            ("290D", "00", ["condition": .named("inactive", number: 0), "condition_number": 0]),
            (
                "290D", "013c0000",
                ["condition": .named("fixed_interval", number: 1), "condition_number": 1, "seconds": 60]
            ),
            (
                "2904", "06fead27010000",
                [
                    "format": .named("uint16", number: 6), "format_number": 6, "exponent": -2, "unit": "27AD",
                    "namespace": 1, "description": 0,
                ]
            ),
        ] as [(String, String, Value)])
    func `a descriptor decodes to its fields`(text: String, hex: String, payload: Value) throws {
        let uuid = try #require(UUID(text))
        let definition = try #require(Descriptors.definition(of: uuid))
        #expect(Value.record(try definition.format.decode(HexadecimalText(hex).bytes).payload) == payload)
    }

    @Test(arguments: Descriptors.all)
    func `the table contains no contradiction`(definition: CharacteristicDefinition) throws {
        try definition.format.validate()
        #expect(AssignedNumbers.descriptors[definition.name] == definition.uuid)
        #expect(Descriptors.definition(of: definition.uuid) == definition)
    }
}
