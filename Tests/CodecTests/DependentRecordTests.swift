import Codec
import JSON
import Testing

/// Records whose fields, units or lengths depend on their flags and on the number of bytes.
@Suite struct DependentRecordTests {
    static let readings: [(name: String, hex: String, payload: Value)] = [
        (
            "temperature_measurement", "066c0100ffe20704110f330b02",
            [
                "unit": "°C", "temperature": 36.4, "time_stamp": "2018-04-17T15:51:11",
                "temperature_type": .named("body", number: 2), "temperature_type_number": 2,
            ]
        ),
        ("temperature_measurement", "01e40300ff", ["unit": "°F", "temperature": 99.6]),
        (
            "blood_pressure_measurement", "01dcf0a0f0bef0",
            ["unit": "kPa", "systolic": 22, "diastolic": 16, "mean_arterial_pressure": 19]
        ),
        (
            "glucose_measurement", "060100ea07050e0a1e0037c0f1",
            [
                "unit": "mmol/L", "context_information_follows": false, "sequence_number": 1,
                "base_time": "2026-05-14T10:30:00", "glucose_concentration": 5.5,
                "type": .named("capillary_whole_blood", number: 1), "type_number": 1,
                "sample_location": .named("not_available", number: 15), "sample_location_number": 15,
            ]
        ),
        (
            "cgm_measurement", "08007800060065c2",
            ["glucose_concentration": 120, "time_offset": 6, "e2e_crc": 49765]
        ),
        (
            "cgm_measurement", "060078000600060078000700",
            [
                "records": [
                    ["glucose_concentration": 120, "time_offset": 6], ["glucose_concentration": 120, "time_offset": 7],
                ]
            ]
        ),
        (
            "current_time", "ea07050e0a1e00048001",
            [
                "date_time": "2026-05-14T10:30:00", "day_of_week": .named("thursday", number: 4),
                "day_of_week_number": 4, "fractions256": 128, "adjust_reason": 1, "manual_time_update": true,
                "external_reference_time_update": false, "change_of_time_zone": false, "change_of_dst": false,
            ]
        ),
        ("indoor_bike_data", "21000f00", ["resistance_level": 15]),
        ("indoor_bike_data", "2000c4090501", ["instantaneous_speed": 25, "resistance_level": 261]),
        ("weight_measurement", "01b036", ["weight_unit": "lb", "weight": 140]),
        (
            "weight_measurement", "08b036f500d606",
            ["weight_unit": "kg", "weight": 70, "bmi": 24.5, "height": 1.75, "height_unit": "m"]
        ),
        ("udi_for_medical_devices", "03414200434400", ["udi_label": "AB", "udi_device_identifier": "CD"]),
        ("preferred_units", "2f27ad27", ["value": ["272F", "27AD"]]),
        (
            "high_intensity_exercise_threshold", "0496",
            [
                "field_selector": .named("heart_rate", number: 4), "field_selector_number": 4,
                "threshold_as_heart_rate": 150,
            ]
        ),
        (
            "cycling_power_measurement", "0001f000ff8f00",
            [
                "offset_compensation_indicator": false, "instantaneous_power": 240, "maximum_angle": 4095,
                "minimum_angle": 8,
            ]
        ),
        (
            "cycling_power_vector", "2800004000",
            [
                "instantaneous_measurement_direction": .named("radial_component", number: 2),
                "instantaneous_measurement_direction_number": 2, "instantaneous_torque_magnitude_array": [0, 2],
            ]
        ),
        (
            "cooking_zone_actual_cooking_conditions", "130020030a071234",
            ["power_level": 80, "temperature": 180.2, "manufacturer_specific_data": .bytes([0x12, 0x34])]
        ),
        (
            "alert_status", "05",
            ["value": 5, "ringer_state": true, "vibrate_state": false, "display_alert_status": true]
        ),
    ]

    @Test(arguments: readings)
    func `a record decodes the fields that its flags announce`(name: String, hex: String, payload: Value) throws {
        let format = try #require(Characteristics.definition(named: name)).format
        let reading = try format.decode(try #require([UInt8](hexadecimal: hex)))
        #expect(Value.record(reading.payload) == payload)
    }

    @Test(arguments: readings.filter { $0.hex != "01dcf0a0f0bef0" })
    func `encoding derives the flags from the fields that are present`(name: String, hex: String, payload: Value) throws
    {
        let format = try #require(Characteristics.definition(named: name)).format
        let reading = try format.decode(try #require([UInt8](hexadecimal: hex)))
        #expect(try format.encode(reading.value).hexadecimal == hex)
    }

    // 26.1 fits only the second layout. Names have the form of JSON.
    @Test func `encoding uses the layout that expresses the value exactly`() throws {
        let format = try #require(Characteristics.definition(named: "supported_resistance_level_range")).format
        let bytes = try format.encode(
            [
                "minimum_resistance_level": 0, "maximum_resistance_level": 26.1, "minimum_increment": 0.1,
            ])
        #expect(bytes.hexadecimal == "000005010100")
    }

    @Test(arguments: [
        ("rower_data", "f800260b00c70000002c001b0002"), ("indoor_bike_data", "64020000000014000000"),
        ("cross_trainer_data", "800000e60814"),
    ])
    func `a measurement without its last byte is rejected`(name: String, hex: String) throws {
        let format = try #require(Characteristics.definition(named: name)).format
        #expect(throws: DecodingError.self) { try format.decode(try #require([UInt8](hexadecimal: hex))) }
    }

    @Test(arguments: [
        ("treadmill_data", "0020e608deadbeef"), ("cross_trainer_data", "000001e608deadbeef"),
        ("indoor_bike_data", "0080e608de"),
    ])
    func `a reserved flag allows further bytes after the known fields`(name: String, hex: String) throws {
        let format = try #require(Characteristics.definition(named: name)).format
        let payload = try format.decode(try #require([UInt8](hexadecimal: hex))).payload
        #expect(payload["instantaneous_speed"] == 22.78)
        // The same bytes without the flag are an error.
        var plain = try #require([UInt8](hexadecimal: hex))
        (plain[1], plain[2]) = (0, name == "cross_trainer_data" ? 0 : plain[2])
        #expect(throws: DecodingError.self) { try format.decode(plain) }
    }

    @Test func `encoding keeps bits without a name, and named bits take precedence`() throws {
        let format = try #require(Characteristics.definition(named: "alert_status")).format
        #expect(try format.encode(["value": 0xF0]) == [0xF0])
        #expect(try format.encode(["value": 0xF1, "ringer_state": false]) == [0xF0])
        #expect(
            try format.encode(["ringer_state": true, "vibrate_state": false, "display_alert_status": false]) == [1])
        #expect(throws: EncodingError.missing(field: "vibrate_state")) { try format.encode(["ringer_state": true]) }
    }

    @Test(
        arguments: [
            ("cgm_measurement", "08000c1006005870"), ("cgm_measurement", "09000c100600596f"),
            ("cgm_session_run_time", "020009c3"), ("indoor_bike_data", "2000c4090501ff"),
            ("indoor_bike_data", "2000c409"),
            ("temperature_measurement", "00"), ("preferred_units", "2f"), ("object_type", "2f2727"),
            ("cycling_power_vector", "0c01000200"),
        ])
    func `a record rejects bytes that do not fit its flags`(name: String, hex: String) throws {
        let format = try #require(Characteristics.definition(named: name)).format
        let bytes = try #require([UInt8](hexadecimal: hex))
        #expect(throws: DecodingError.self) { try format.decode(bytes) }
    }
}
