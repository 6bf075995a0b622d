import Codec
import Testing

/// Tests how encoding finds flags, lengths and op codes from the members that are given.
@Suite struct SelectorTests {
    private static func bits(_ type: NumberType = .uint8, _ bits: BitField...) -> Field {
        .bits(type, bits)
    }

    private static func hidden(_ name: String, _ range: ClosedRange<Int>, scale: Decimal = 1) -> BitField {
        var bits = BitField(name, range)
        bits.isShown = false
        bits.scale = scale
        return bits
    }

    @Test(
        arguments: [
            (31, "length: expected a number from 0 to 31, found 32"),
            (62, "length: expected a number from 0 to 62, found 63"),
        ])
    func `encoding rejects a length that does not fit its bits`(most: Int, reason: String) throws {
        let text = Field.text("text", length: .field("length"))
        let length = Self.hidden("length", 0...4, scale: most > 31 ? 2 : 1)
        let format = Format([Self.bits(.uint8, length, BitField("kind", 5...7)), text])
        #expect(try format.encode(["kind": 1, "text": .string(String(repeating: "a", count: most))])[0] == 0x3F)
        let error = #expect(throws: EncodingError.self) {
            try format.encode(["kind": 1, "text": .string(String(repeating: "a", count: most + 1))])
        }
        #expect(error?.description == reason)
    }

    @Test func `encoding rejects a length between two steps`() throws {
        let format = Format([
            Field.number("length", .uint8, 4).hidden, .text("text", length: .field("length")),
        ])
        #expect(try format.encode(["text": "abcd"]) == [1, 0x61, 0x62, 0x63, 0x64])
        #expect(
            throws: EncodingError.invalid(field: "length", expected: "a number in steps of 4", found: "5")
        ) {
            try format.encode(["text": "abcde"])
        }
    }

    @Test func `encoding rejects a count that does not fit its bits`() throws {
        var list = Field.number("list", .uint8)
        list.count = .field("count")
        let format = Format([Self.bits(.uint8, Self.hidden("count", 0...1)), list])
        #expect(try format.encode(["list": [1, 2, 3]]) == [3, 1, 2, 3])
        #expect(
            throws: EncodingError.invalid(field: "count", expected: "a number from 0 to 3", found: "4")
        ) {
            try format.encode(["list": [1, 2, 3, 4]])
        }
    }

    @Test(arguments: [(1, nil), (10, [0x02, 0x05])] as [(Decimal, [UInt8]?)])
    func `encoding applies the scale of bits`(scale: Decimal, bytes: [UInt8]?) throws {
        let level = Field.number("level", .uint8).when("mode", is: 20)
        let format = Format([Self.bits(.uint8, Self.hidden("mode", 0...3, scale: scale)), level])
        guard let bytes else {
            let error = EncodingError.invalid(field: "mode", expected: "a number from 0 to 15", found: "20")
            #expect(throws: error) { try format.encode(["level": 5]) }
            return
        }
        #expect(try format.encode(["level": 5]) == bytes)
        #expect(try format.decode(bytes).value == ["level": 5])
    }

    @Test func `encoding sets required bits to the least possible number`() throws {
        let level = Field.number("level", .uint8).when("mode")
        let format = Format([Self.bits(.uint8, Self.hidden("mode", 0...3, scale: 10)), level])
        #expect(try format.encode(["level": 5]) == [0x01, 0x05])
    }

    @Test(
        arguments: [
            (["op_code": "reset", "power": 100], .absent(["power"], "set_target_power", "reset")),
            (
                ["op_code": "reset", "power": 100, "speed": 3],
                .absent(["power", "speed"], "set_target_power", "reset")
            ),
            (["op_code": 4, "speed": 3, "parameter": "0a"], .absent(["speed"], "set_target_speed", "4")),
            (["op_code": "set_target_speed", "speed": 3, "parameter": "0a"], .misplaced(fields: ["parameter"])),
            ([:], .missing(field: "op_code")),
            (["parameter": "0a"], .missing(field: "op_code")),
            (["power": 100, "speed": 3], .missing(field: "op_code")),
            (["control_value": 1], .missing(field: "op_code")),
            (["grade": 1], .missing(field: "wind_speed")),
        ] as [(Value, EncodingError)])
    func `encoding rejects members without a place and invents no op code`(
        value: Value, error: EncodingError
    ) throws {
        let format = try #require(Characteristics.definition(named: "fitness_machine_control_point")).format
        #expect(throws: error) { try format.encode(value) }
    }

    @Test(
        arguments: [
            (["power": 100], "056400"), (["op_code": "reset", "power": .null], "01"),
            (["control_value": "stop"], "0801"), (["control_value": "ignore"], "1302"),
            (["request_op_code": "reset", "response_value": "success"], "800101"),
            (["op_code": 4, "parameter": "0a"], "040a"), (["op_code": "request_control"], "00"),
        ] as [(Value, String)])
    func `encoding derives an op code from a member that only it has`(value: Value, hex: String) throws {
        let format = try #require(Characteristics.definition(named: "fitness_machine_control_point")).format
        #expect(try format.encode(value).hexadecimal == hex)
    }

    @Test func `encoding names the members without a place, and when the first of them has one`() {
        #expect(
            EncodingError.misplaced(fields: ["power", "speed"]).description
                == "not allowed with the values of the other fields: power, speed")
        #expect(
            EncodingError.absent(["power", "speed"], "set_power", "reset").description
                == "power is only allowed when op_code is set_power; op_code is reset")
    }

    // A boolean is false unless a member needs it to be true, whether it is a flag or a unit.
    @Test(
        arguments: [
            ("temperature_measurement", ["temperature": 36.4], "006c0100ff"),
            ("weight_measurement", ["weight": 70], "00b036"), ("heart_rate_measurement", ["heart_rate": 60], "003c"),
        ] as [(String, Value, String)])
    func `encoding does not set a flag that is not needed`(name: String, value: Value, hex: String) throws {
        #expect(try #require(Characteristics.definition(named: name)).format.encode(value).hexadecimal == hex)
    }

    private static func choice(_ requirements: Condition.Requirement...) -> Format {
        Format(
            [Field.number("mode", .uint8)]
                + requirements.enumerated().map { index, requirement in
                    var field = Field.number("value_\(index)", .uint8)
                    field.when = [Condition("mode", requirement)]
                    return field
                })
    }

    @Test(
        arguments: [
            (choice(.set), [:], [0]), (choice(.set), ["value_0": 5], [1, 5]), (choice(.equal(0)), [:], [1]),
            (choice(.unequal(0)), ["value_0": 5], [1, 5]), (choice(.equal(2), .equal(3)), ["value_1": 5], [3, 5]),
            (choice(.equal(2), .equal(3)), [:], [0]), (choice(.unequal(2)), ["value_0": 5], [0, 5]),
            (choice(.unequal(2)), ["mode": 7, "value_0": 5], [7, 5]), (choice(.unequal(2)), ["mode": 2], [2]),
        ] as [(Format, Value, [UInt8])])
    func `a number without names follows from the members, or is 0`(
        format: Format, value: Value, bytes: [UInt8]
    ) throws {
        #expect(try format.encode(value) == bytes)
    }

    @Test func `encoding ignores a member that a given false leaves out`() throws {
        let format = Format([.value("on", .boolean), Field.number("level", .uint8).when("on")])
        #expect(try format.encode(["on": false, "level": 0]) == [0])
        #expect(try format.encode(["on": true, "level": 7]) == [1, 7])
        #expect(try format.encode(["level": 7]) == [1, 7])
    }

    @Test func `a field with several conditions is present only if all hold`() throws {
        var rest = Field.number("rest", .uint8)
        rest.when = (0...2).map { Condition("mode", .unequal($0)) }
        let mode = Field.number("mode", .uint8).hidden
        #expect(try Format([mode, rest]).encode(["rest": 5]) == [3, 5])
        #expect(try Format([mode, rest]).encode([:]) == [0])
    }

    @Test func `encoding takes bits from the number of them all`() throws {
        let format = Format([
            .conditions("state", .uint8, [BitField("has_level", 0...0)]),
            Field.number("level", .uint8).when("has_level"),
        ])
        #expect(try format.encode(["state": 1, "level": 5]) == [1, 5])
        #expect(try format.encode(["state": 0x80]) == [0x80])
        #expect(throws: EncodingError.misplaced(fields: ["level"])) { try format.encode(["state": 2, "level": 5]) }
    }
}

extension EncodingError {
    /// The error about fields that only another op code has.
    fileprivate static func absent(_ fields: [String], _ allowed: String, _ found: String) -> EncodingError {
        .misplaced(fields: fields, rule: "op_code is \(allowed); op_code is \(found)")
    }
}
