import Bluetooth
import Codec
import Testing

@Suite struct FormatValidationTests {
    private static func field(_ name: String, _ type: FieldType, _ change: (inout Field) -> Void = { _ in }) -> Field {
        var field = Field(name, type)
        change(&field)
        return field
    }

    private static func bits(_ name: String, _ range: ClosedRange<Int>, _ change: (inout BitField) -> Void) -> BitField
    {
        var field = BitField(name, range)
        change(&field)
        return field
    }

    private static func record(_ change: (inout Field) -> Void) -> Field {
        field("r", .record) {
            $0.record = Format([Field("x", .uint8)])
            change(&$0)
        }
    }

    static let mistakes: [(fields: [Field], index: Int, key: String)] = [
        ([], 0, "name"),
        ([field("", .uint8)], 0, "name"),
        ([field("a", .uint8), field("a", .uint8)], 1, "name"),
        ([field("a", .uint8), field("time", .uint8)], 1, "name"),
        ([field("a", .utf8), field("b", .uint8)], 0, "length"),
        ([field("a", .utf8) { $0.length = .toTheEnd }, field("b", .uint8)], 0, "length"),
        ([record { $0.length = .toTheEnd }, field("b", .uint8)], 0, "length"),
        ([field("a", .utf8) { ($0.length, $0.count) = (.toTheEnd, 2) }], 0, "count"),
        ([record { ($0.length, $0.count) = (.toTheEnd, 2) }], 0, "count"),
        ([field("a", .uint8) { $0.length = 2 }], 0, "length"),
        ([field("a", .utf8z) { $0.length = 2 }], 0, "length"),
        ([field("a", .bytes) { $0.length = 0 }], 0, "length"),
        ([field("a", .utf16) { $0.length = 3 }], 0, "length"),
        ([field("a", .date), field("b", .bytes) { $0.length = .field("a") }], 1, "length"),
        ([field("a", .uint8) { $0.count = 2 }, field("b", .uint8) { $0.count = .field("a") }], 1, "count"),
        ([field("a", .address), field("b", .uint8) { $0.when = [Condition("a")] }], 1, "when"),
        ([field("a", .uint8) { $0.scale = 0 }], 0, "scale"),
        ([field("a", .utf8) { $0.scale = 2 }], 0, "scale"),
        ([field("a", .boolean) { $0.offset = 2 }], 0, "scale"),
        ([field("a", .uint8) { $0.scale = Decimal(10_000_000_000_000_000_001 as UInt64, exponent: -20) }], 0, "scale"),
        ([field("a", .uint8) { $0.unknown = [256] }], 0, "unknown"),
        ([field("a", .uint8), field("b", .uint8) { $0.checksum = .crc16 }], 1, "checksum"),
        ([field("a", .uint8), field("b", .uint16) { $0.checksum = .crc8 }], 1, "checksum"),
        ([field("a", .uint8) { $0.checksum = .xor }, field("b", .uint8)], 0, "checksum"),
        ([record { $0.record = Format([field("a", .uint8) { $0.checksum = .sum }]) }], 0, "fields"),
        ([field("a", .float32) { $0.unknown = [0] }], 0, "unknown"),
        ([field("a", .uint8) { $0.values = NamedValues([256: "x"]) }], 0, "values"),
        ([field("a", .sint8) { $0.values = NamedValues([-129: "x"]) }], 0, "values"),
        ([field("a", .uint8) { $0.bits = [bits("x", 0...1) { $0.values = NamedValues([5: "y"]) }] }], 0, "bits"),
        ([field("a", .uint8) { $0.bits = [bits("x", 0...1) { $0.unknown = [4] }] }], 0, "bits"),
        ([field("a", .utf8) { $0.values = NamedValues([0: "x"]) }], 0, "values"),
        ([field("a", .uint8) { $0.count = .exactly(0) }], 0, "count"),
        ([field("a", .uint8) { $0.count = .toTheEnd }, field("b", .uint8)], 0, "count"),
        ([field("a", .utf8) { $0.count = .toTheEnd }], 0, "count"),
        ([field("a", .uint8) { $0.bits = [BitField("x", 8...8)] }], 0, "bits"),
        ([field("a", .uint8) { $0.bits = [BitField("x", 0...2), BitField("y", 2...3)] }], 0, "bits"),
        ([field("a", .sint8) { $0.bits = [BitField("x", 0...0)] }], 0, "bits"),
        ([field("a", .uint8) { $0.bits = [BitField("x", 0...0), BitField("x", 1...1)] }], 0, "name"),
        ([field("a", .uint8) { $0.when = [Condition("b")] }, field("b", .boolean)], 0, "when"),
    ]

    @Test(arguments: mistakes)
    func `a contradiction is found where it is`(fields: [Field], index: Int, key: String) {
        let error = #expect(throws: FormatError.self) { try Format(fields).validate() }
        #expect(error?.index == index)
        #expect(error?.key == key)
    }

    @Test(arguments: Characteristics.all)
    func `the table contradicts itself nowhere`(definition: CharacteristicDefinition) throws {
        try definition.format.validate()
    }

    @Test func `every row is found by its name and its number`() {
        for definition in Characteristics.all {
            #expect(Characteristics.definition(of: definition.uuid) == definition)
            #expect(Characteristics.definition(matching: definition.name) == definition)
            #expect(Characteristics.definition(matching: definition.uuid.description) == definition)
        }
        #expect(Characteristics.definition(matching: "6e400001-b5a3-f393-e0a9-e50e24dcca9e") == nil)
    }

    @Test func `valid formats pass`() throws {
        try FormatTests.relay.validate()
        try FormatTests.status.validate()
        try Format([Self.field("time", .uint8)]).validate()
        try Format([Self.field("a", .uint8), Self.field("b", .uint16) { $0.checksum = .crc16Modbus }]).validate()
        try Format([Self.field("a", .uint8), Self.field("b", .uint32) { $0.checksum = .sum }]).validate()
        try Format([Self.field("a", .sint8) { $0.values = NamedValues([-128: "x", 127: "y"]) }]).validate()
        try Format([
            Self.field("a", .uint8) {
                $0.bits = [
                    Self.bits("x", 0...1) { ($0.isSigned, $0.values) = (true, NamedValues([-2: "y", 1: "z"])) }
                ]
            }
        ]).validate()
        try Format([Self.record { $0.length = .toTheEnd }]).validate()
        try Format([Self.record { $0.count = .toTheEnd }]).validate()
    }
}
