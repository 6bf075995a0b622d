import Bluetooth
import Codec
import Testing

@Suite struct FormatValidationTests {
    private static func field(
        _ name: String, _ type: FieldType, _ change: (inout FieldDescription) -> Void = { _ in }
    ) -> FieldDescription {
        var field = FieldDescription(name, type)
        change(&field)
        return field
    }

    /// Describes a field whose type is a number.
    private static func field(
        _ name: String, _ type: NumberType, _ change: (inout FieldDescription) -> Void = { _ in }
    ) -> FieldDescription {
        field(name, .number(type), change)
    }

    private static func validate(_ descriptions: [FieldDescription]) throws {
        let fields = try descriptions.enumerated().map { try $0.element.field(at: $0.offset) }
        try Format(fields).validate()
    }

    private static func bits(_ name: String, _ range: ClosedRange<Int>, _ change: (inout BitField) -> Void) -> BitField
    {
        var field = BitField(name, range)
        change(&field)
        return field
    }

    private static func record(_ change: (inout FieldDescription) -> Void) -> FieldDescription {
        field("r", .record) {
            $0.fields = Format([.number("x", .uint8)])
            change(&$0)
        }
    }

    static let mistakes: [(fields: [FieldDescription], index: Int, key: String)] = [
        ([], 0, "name"),
        ([field("", .uint8)], 0, "name"),
        ([field("a", .uint8), field("a", .uint8)], 1, "name"),
        ([field("a", .uint8), field("time", .uint8)], 1, "name"),
        ([field("a", .text(.utf8)), field("b", .uint8)], 0, "length"),
        ([field("a", .text(.utf8)) { $0.length = .toTheEnd }, field("b", .uint8)], 0, "length"),
        ([record { $0.length = .toTheEnd }, field("b", .uint8)], 0, "length"),
        ([field("a", .text(.utf8)) { ($0.length, $0.count) = (.toTheEnd, 2) }], 0, "count"),
        ([record { ($0.length, $0.count) = (.toTheEnd, 2) }], 0, "count"),
        ([field("a", .uint8) { $0.length = 2 }], 0, "length"),
        ([field("a", .value(.timestamp)) { $0.length = 9 }], 0, "length"),
        ([field("a", .text(.bytes)) { $0.length = 0 }], 0, "length"),
        ([field("a", .text(.utf16)) { $0.length = 3 }], 0, "length"),
        ([field("a", .value(.date)), field("b", .text(.bytes)) { $0.length = .field("a") }], 1, "length"),
        ([field("a", .uint8) { $0.count = 2 }, field("b", .uint8) { $0.count = .field("a") }], 1, "count"),
        ([field("a", .address), field("b", .uint8) { $0.when = [Condition("a")] }], 1, "when"),
        ([field("a", .uint8) { $0.scale = 0 }], 0, "scale"),
        ([field("a", .text(.utf8)) { $0.scale = 2 }], 0, "scale"),
        ([field("a", .value(.boolean)) { $0.offset = 2 }], 0, "scale"),
        ([field("a", .uint8) { $0.scale = Decimal(10_000_000_000_000_000_001 as UInt64, exponent: -20) }], 0, "scale"),
        ([field("a", .uint8) { $0.unknown = [256] }], 0, "unknown"),
        ([field("a", .uint8), field("b", .uint8) { $0.checksum = .crc16 }], 1, "checksum"),
        ([field("a", .uint8), field("b", .uint16) { $0.checksum = .crc8 }], 1, "checksum"),
        ([field("a", .uint8) { $0.checksum = .xor }, field("b", .uint8)], 0, "checksum"),
        ([record { $0.fields = Format([Field("a", .checksum(.sum, .uint8, unknown: []))]) }], 0, "fields"),
        ([field("a", .float32) { $0.unknown = [0] }], 0, "unknown"),
        ([field("a", .uint8) { $0.values = NamedValues([256: "x"]) }], 0, "values"),
        ([field("a", .sint8) { $0.values = NamedValues([-129: "x"]) }], 0, "values"),
        ([field("a", .uint8) { $0.bits = [bits("x", 0...1) { $0.values = NamedValues([5: "y"]) }] }], 0, "bits"),
        ([field("a", .uint8) { $0.bits = [bits("x", 0...1) { $0.unknown = [4] }] }], 0, "bits"),
        ([field("a", .text(.utf8)) { $0.values = NamedValues([0: "x"]) }], 0, "values"),
        ([field("a", .uint8) { $0.count = .exactly(0) }], 0, "count"),
        ([field("a", .uint8) { $0.count = .toTheEnd }, field("b", .uint8)], 0, "count"),
        ([field("a", .text(.utf8)) { $0.count = .toTheEnd }], 0, "count"),
        ([field("a", .uint8) { $0.bits = [BitField("x", 8...8)] }], 0, "bits"),
        ([field("a", .uint8) { $0.bits = [BitField("x", 0...2), BitField("y", 2...3)] }], 0, "bits"),
        ([field("a", .sint8) { $0.bits = [BitField("x", 0...0)] }], 0, "bits"),
        ([field("a", .uint8) { $0.bits = [BitField("x", 0...0), BitField("x", 1...1)] }], 0, "name"),
        ([field("a", .uint8) { $0.when = [Condition("b")] }, field("b", .value(.boolean))], 0, "when"),
    ]

    @Test(arguments: mistakes)
    func `validation names the field and the key of a contradiction`(
        fields: [FieldDescription], index: Int, key: String
    ) {
        let error = #expect(throws: FormatError.self) { try Self.validate(fields) }
        #expect(error?.index == index)
        #expect(error?.key == key)
    }

    @Test(arguments: Characteristics.all)
    func `the table contains no contradiction`(definition: CharacteristicDefinition) throws {
        try definition.format.validate()
    }

    @Test func `every row is found by its name and its UUID`() throws {
        for definition in Characteristics.all {
            #expect(Characteristics.definition(of: definition.uuid) == definition)
            #expect(Characteristics.definition(named: definition.name) == definition)
        }
        let uuid = try #require(UUID("6e400001-b5a3-f393-e0a9-e50e24dcca9e"))
        #expect(Characteristics.definition(of: uuid) == nil)
    }

    @Test func `validation accepts valid formats`() throws {
        try FormatTests.relay.validate()
        try FormatTests.status.validate()
        try Self.validate([Self.field("time", .uint8)])
        try Self.validate([Self.field("a", .uint8), Self.field("b", .uint16) { $0.checksum = .crc16Modbus }])
        try Self.validate([Self.field("a", .uint8), Self.field("b", .uint32) { $0.checksum = .sum }])
        try Self.validate([Self.field("a", .sint8) { $0.values = NamedValues([-128: "x", 127: "y"]) }])
        try Self.validate([
            Self.field("a", .uint8) {
                $0.bits = [
                    Self.bits("x", 0...1) { ($0.isSigned, $0.values) = (true, NamedValues([-2: "y", 1: "z"])) }
                ]
            }
        ])
        try Self.validate([Self.record { $0.length = .toTheEnd }])
        try Self.validate([Self.record { $0.count = .toTheEnd }])
    }
}
