import Codec
import JSON
import Testing

/// Tests bytes that are not a number: a value that is not known or not used.
@Suite struct SpecialValueTests {
    private static func format(_ name: String) throws -> Format {
        try #require(Characteristics.definition(named: name)).format
    }

    // FTMS, 4.4.1 and 4.5.1: a machine may have only one of two fields with the same flag.
    @Test(
        arguments: [
            (
                "treadmill_data", "080064000a00ff7f",
                ["instantaneous_speed": 1, "inclination": 1, "ramp_angle_setting": .null]
            ),
            (
                "treadmill_data", "08006400ff7f0a00",
                ["instantaneous_speed": 1, "inclination": .null, "ramp_angle_setting": 1]
            ),
            (
                "treadmill_data", "00106400ff7fff7f",
                ["instantaneous_speed": 1, "force_on_belt": .null, "power_output": .null]
            ),
            (
                "cross_trainer_data", "08000064003c00ffff",
                [
                    "movement_direction": .named("forward", number: 0), "movement_direction_number": 0,
                    "instantaneous_speed": 1, "steps_per_minute": 60, "average_step_rate": .null,
                ]
            ),
            (
                "cross_trainer_data", "4000006400ff7fff7f",
                [
                    "movement_direction": .named("forward", number: 0), "movement_direction_number": 0,
                    "instantaneous_speed": 1, "inclination": .null, "ramp_setting": .null,
                ]
            ),
            ("stair_climber_data", "03003c00", ["steps_per_minute": 60]),
            ("stair_climber_data", "0300ffff", ["steps_per_minute": 65535]),
            ("indoor_bike_data", "4100ff7f", ["instantaneous_power": 32767]),
            ("cie_13_3_1995_color_rendering_index", "7f", ["value": .null]),
            ("cie_13_3_1995_color_rendering_index", "64", ["value": 100]),
            ("voltage_frequency", "0000", ["value": 0, "unit": "Hz"]),
            ("voltage_frequency", "feff", ["value": .null, "unit": "Hz"]),
        ] as [(String, String, Value)])
    func `a value that is not available decodes as null`(name: String, hex: String, payload: Value) throws {
        let reading = try Self.format(name).decode(HexadecimalText(hex).bytes)
        #expect(Value.record(reading.payload) == payload)
        #expect(try Self.format(name).decode(Self.format(name).encode(reading.value)) == reading)
    }

    @Test(arguments: ["ff7f", "0080"])
    func `a time offset beyond its field decodes as null`(offset: String) throws {
        let reading = try Self.format("glucose_measurement").decode(
            HexadecimalText("010100ea07050e0a1e00\(offset)").bytes)
        #expect(reading.payload["time_offset"] == .null)
    }

    // The first edition of the Fitness Machine Service has one byte of 0.1 km/min, the supplement two bytes of seconds.
    @Test(
        arguments: [
            ("21009600", ["instantaneous_pace": 150]), ("210002", ["instantaneous_pace": 150]),
            ("210007", ["instantaneous_pace": 43]), ("210000", ["instantaneous_pace": 0]),
            ("61000203", ["instantaneous_pace": 150, "average_pace": 100]),
            ("2000640002", ["instantaneous_speed": 1, "instantaneous_pace": 150]),
        ] as [(String, Value)])
    func `a pace has one byte or two`(hex: String, payload: Value) throws {
        let reading = try Self.format("treadmill_data").decode(HexadecimalText(hex).bytes)
        #expect(Value.record(reading.payload) == payload)
    }

    // The specification requires 0xFFFF in place of a CRC; some devices send 0.
    @Test(
        arguments: [
            ("000000190000", 0, nil), ("00000019ffff", .null, nil), ("00000019ffff", nil, 0),
            ("00100019f40b", 3060, 4096),
        ] as [(String, Value?, Int64?)])
    func `the CGM feature has a CRC if it announces one`(hex: String, crc: Value?, feature: Int64?) throws {
        let format = try Self.format("cgm_feature")
        let bytes = try HexadecimalText(hex).bytes
        if let crc { #expect(try format.decode(bytes).payload["e2e_crc"] == crc) }
        if let feature {
            let value: Value = [
                "cgm_feature": .number(Decimal(feature)), "type": "interstitial_fluid",
                "sample_location": "finger",
            ]
            #expect(try format.encode(value) == bytes)
        } else {
            #expect(try format.encode(format.decode(bytes).value) == bytes)
        }
    }

    @Test func `the CGM feature rejects a wrong CRC`() throws {
        let format = try Self.format("cgm_feature")
        #expect(throws: DecodingError.self) { try format.decode([0x00, 0x10, 0x00, 0x19, 0x00, 0x00]) }
    }

    @Test(
        arguments: [("01000000000000ff00", 255), ("010000000000000200", .named("gps", number: 2))]
            as [(String, Value)])
    func `the time source of a tick counter can be any number`(hex: String, source: Value) throws {
        let format = try Self.format("elapsed_time")
        let bytes = try HexadecimalText(hex).bytes
        let reading = try format.decode(bytes)
        #expect(reading.payload["time_sync_source_type"] == source)
        #expect(try format.encode(reading.value) == bytes)
        #expect(throws: DecodingError.self) { try format.decode([0x00] + bytes[1..<7] + [0xFF, 0x00]) }
    }

    @Test func `the record access control point decodes "server busy"`() throws {
        let reading = try Self.format("record_access_control_point").decode([6, 0, 1, 0x0A])
        #expect(reading.payload["response_code_value"] == .named("server_busy", number: 10))
    }

    // The pressure of a cuff does not use the other two numbers: NaN.
    @Test func `a hidden float is written as "not a number"`() throws {
        let bytes = try Self.format("intermediate_cuff_pressure").encode(["unit": "mmHg", "current_cuff_pressure": 120])
        #expect(bytes.hexadecimal == "007800ff07ff07")
    }

    @Test(arguments: [
        ("0000", true), ("0100", false), ("2d06", false), ("2e06", true), ("0f27", true), ("1027", false),
    ])
    func `a year is from 1582 to 9999, or not known`(year: String, isRight: Bool) throws {
        for (name, rest) in [("date_time", "0101000000"), ("date_of_birth", "0101")] {
            let reading = try? Self.format(name).decode(HexadecimalText(year + rest).bytes)
            #expect((reading != nil) == isRight)
        }
    }

    @Test(
        arguments: [
            ("date_time", "1581-12-31T00:00:00"), ("date_time", "10000-01-01T00:00:00"),
            ("date_of_birth", ["year": 1581, "month": 1, "day": 1]),
            ("date_of_birth", ["year": 10000, "month": 1, "day": 1]),
        ] as [(String, Value)])
    func `encoding rejects any other year`(name: String, value: Value) throws {
        let format = try Self.format(name)
        #expect(throws: EncodingError.self) { try format.encode(value) }
    }

    @Test func `an unknown year is written as 0`() throws {
        #expect(try Self.format("date_of_birth").encode(["year": 0, "month": 0, "day": 0]) == [0, 0, 0, 0])
        let error = #expect(throws: EncodingError.self) {
            try Self.format("date_of_birth").encode(["year": 1, "month": 0, "day": 0])
        }
        #expect(error?.description == "year: expected a number from 1582 to 9999, or 0, found 1")
    }

    @Test func `the longest exponential time in the message can be written`() throws {
        let format = try Self.format("time_exponential_8")
        let error = #expect(throws: EncodingError.self) { try format.encode(100_000_000) }
        let reason = try #require(error?.description)
        let found = try #require(reason.wholeMatch(of: /.* from 0 to ([\d.]+), found 100000000/))
        #expect(try format.encode(.number(#require(Decimal(String(found.1))))) == [253])
    }

    @Test func `a bit can be a sign, have an offset, or be unknown`() throws {
        var (sign, above, maybe) = (BitField("sign", 0...0), BitField("above", 1...1), BitField("maybe", 2...2))
        sign.isSigned = true
        above.offset = 5
        maybe.unknown = [1]
        let format = Format([.bits(.uint8, [sign, above, maybe])])
        #expect(try format.decode([7]).value == ["sign": -1, "above": 6, "maybe": .null])
        #expect(try format.decode([0]).value == ["sign": 0, "above": 5, "maybe": false])
        for byte in 0...7 as ClosedRange<UInt8> {
            #expect(try format.encode(format.decode([byte]).value) == [byte])
        }
        #expect(throws: EncodingError.self) { try format.encode(["sign": 0, "above": 5, "maybe": true]) }
    }
}
