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
    func `a presentation format reads its characteristic`(
        descriptor: String, hex: String, value: Value, unit: String?
    ) throws {
        let bytes = try #require([UInt8](hexadecimal: descriptor))
        let format = try #require(try Format(presentation: bytes))
        try format.validate()
        #expect(
            try format.decode(try #require([UInt8](hexadecimal: hex))) == .value(value, unit: unit))
        #expect(try format.encode(value).hexadecimal == hex)
    }

    @Test func `description and valid range name and limit what is written`() throws {
        let format = try #require(
            try Format(
                presentation: [0x0E, 0xFE, 0x2F, 0x27, 1, 0, 0], description: Array("Set point (°C)".utf8),
                range: [0x60, 0xF0, 0x64, 0x00]))
        #expect(format.quantities.map(\.name) == ["set_point_c"])
        #expect(format.quantities.map(\.range) == [-40...1])
        #expect(try format.encode(0.5) == [50, 0])
        #expect(throws: EncodingError.self) { try format.encode(1.01) }
    }

    @Test func `numbers that do not fill their bytes have limits`() throws {
        let format = try #require(try Format(presentation: [0x05, 0, 0, 0x27, 1, 0, 0]))
        #expect(try format.decode([0xFF, 0x0F]).value == 4095)
        #expect(throws: DecodingError.self) { try format.decode([0x00, 0x10]) }
    }

    @Test(arguments: [0x18, 0x1A, 0x1B] as [UInt8])
    func `what is no single value has no format`(number: UInt8) throws {
        #expect(try Format(presentation: [number, 0, 0, 0x27, 1, 0, 0]) == nil)
    }

    @Test(arguments: ["", "0400ad270100", "0400ad2701000000"])
    func `a descriptor of another length is refused`(hex: String) throws {
        let bytes = try #require([UInt8](hexadecimal: hex))
        #expect(throws: DecodingError.self) { try Format(presentation: bytes) }
    }

    @Test(
        arguments: [
            ("2902", "0100", ["notifications": true, "indications": false]),
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
    func `a descriptor has its own meaning`(name: String, hex: String, payload: Value) throws {
        let definition = try #require(Descriptors.definition(matching: name))
        #expect(Value.record(try definition.format.decode(HexadecimalText(hex).bytes).payload) == payload)
    }

    @Test(arguments: Descriptors.all)
    func `the table contradicts itself nowhere`(definition: CharacteristicDefinition) throws {
        try definition.format.validate()
        #expect(Descriptors.definition(matching: definition.name) == definition)
    }
}
