import Codec
import Testing

/// Bytes that say something other than a number: that it is not known, or that it does not matter.
@Suite struct SpecialValueTests {
    private static func format(_ name: String) throws -> Format {
        try #require(Characteristics.definition(named: name)).format
    }

    // FTMS, 4.4.1 and 4.5.1: of two fields with one flag a machine may have only one.
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
    func `what is not available is null`(name: String, hex: String, payload: Value) throws {
        let reading = try Self.format(name).decode(HexadecimalText(hex).bytes)
        #expect(Value.record(reading.payload) == payload)
        #expect(try Self.format(name).decode(Self.format(name).encode(reading.value)) == reading)
    }

    @Test(arguments: ["ff7f", "0080"])
    func `a time offset beyond what its field holds is null`(offset: String) throws {
        let reading = try Self.format("glucose_measurement").decode(
            HexadecimalText("010100ea07050e0a1e00\(offset)").bytes)
        #expect(reading.payload["time_offset"] == .null)
    }

    // One byte of 0.1 km/min in the first edition of the Fitness Machine Service, two bytes of seconds in the supplement.
    @Test(
        arguments: [
            ("21009600", ["instantaneous_pace": 150]), ("210002", ["instantaneous_pace": 150]),
            ("210007", ["instantaneous_pace": 43]), ("210000", ["instantaneous_pace": 0]),
            ("61000203", ["instantaneous_pace": 150, "average_pace": 100]),
            ("2000640002", ["instantaneous_speed": 1, "instantaneous_pace": 150]),
        ] as [(String, Value)])
    func `a pace comes in one byte or in two`(hex: String, payload: Value) throws {
        let reading = try Self.format("treadmill_data").decode(HexadecimalText(hex).bytes)
        #expect(Value.record(reading.payload) == payload)
    }

    // A CRC of 0xFFFF is what the specification wants without one; some devices leave it at 0.
    @Test(
        arguments: [
            ("000000190000", 0, nil), ("00000019ffff", .null, nil), ("00000019ffff", nil, 0),
            ("00100019f40b", 3060, 4096),
        ] as [(String, Value?, Int64?)])
    func `a glucose monitor's feature has a CRC if it says so`(hex: String, crc: Value?, feature: Int64?) throws {
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

    @Test func `a CRC that a glucose monitor has must be right`() throws {
        let format = try Self.format("cgm_feature")
        #expect(throws: DecodingError.self) { try format.decode([0x00, 0x10, 0x00, 0x19, 0x00, 0x00]) }
    }

    @Test(
        arguments: [("01000000000000ff00", 255), ("010000000000000200", .named("gps", number: 2))]
            as [(String, Value)])
    func `the time source of a tick counter may be anything`(hex: String, source: Value) throws {
        let format = try Self.format("elapsed_time")
        let bytes = try HexadecimalText(hex).bytes
        let reading = try format.decode(bytes)
        #expect(reading.payload["time_sync_source_type"] == source)
        #expect(try format.encode(reading.value) == bytes)
        #expect(throws: DecodingError.self) { try format.decode([0x00] + bytes[1..<7] + [0xFF, 0x00]) }
    }

    @Test func `a record access control point may be busy`() throws {
        let reading = try Self.format("record_access_control_point").decode([6, 0, 1, 0x0A])
        #expect(reading.payload["response_code_value"] == .named("server_busy", number: 10))
    }
}
