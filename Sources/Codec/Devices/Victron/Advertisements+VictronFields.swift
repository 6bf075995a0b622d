/// The fields of Victron's records. The greatest number that a field can contain usually means "not known".
///
/// Source: Victron Energy, "Extra Manufacturer Data", 2022-12-14; keshavdv/victron-ble.
extension Advertisements {
    /// Returns the format of a record with its header, which consists of prefix, model, type, initial counter, and the
    /// first byte of the key.
    static func record(_ name: String, _ type: UInt8, _ fields: [Field]) -> AdvertisementFormat {
        var format = AdvertisementFormat(
            "victron_\(name)",
            AdvertisementMatch(
                .company(0x02E1), startingWith: "10?? ???? \([type].hexadecimal)", lengths: 9...255),
            [
                .reserved(2), .number("model_id", .uint16), .reserved(4), modelName,
            ] + fields + [.rest])
        format.cipher = AdvertisementCipher(
            mode: .littleEndianCounter, header: .init(length: 8), trailer: 0, nonce: [.bytes(.init(5, 7))], keyCheck: 7)
        return format
    }

    /// The format of the SolarSense, which does not encrypt.
    ///
    /// Source: victronenergy/dbus-ble-sensors.
    static let solarSense = AdvertisementFormat(
        "victron_solar_sense",
        AdvertisementMatch(.company(0x02E1), startingWith: "10?? ???? FF?? ??01", lengths: 24...255),
        [
            .reserved(2), .number("model_id", .uint16), .reserved(4), modelName, .number("error_flags", .uint32), error,
            .bits(
                .uint40, .number("power", 0...19, 1, "W", unknown: [0xFFFFF], kind: .power),
                .number("yield_today", 20...39, 0.01, "kWh", unknown: [0xFFFFF], kind: .energy)),
            .bits(
                .uint48, .number("irradiance", 0...13, 0.1, "W/m²", unknown: [0x3FFF], kind: .measurement),
                .number("cell_temperature", 14...24, 0.1, "°C", offset: -60, unknown: [0x7FF], kind: .temperature),
                .number("battery_voltage", 26...33, 0.01, "V", offset: 1.7, unknown: [0xFF], kind: .voltage),
                .hidden("sun", 35...41)),
            // The steps grow from 2 to 10 and 30 minutes.
            .calculated(
                "time_since_sun",
                """
                if(sun == 127, null, if(sun < 30, sun * 2, if(sun < 96, 60 + 10 * (sun - 30), 720 + 30 * (sun - 96))))
                """, "min", kind: .duration), .rest,
        ])

    private static let modelName = Field.calculated("model_name", "model_id").named(VictronProducts.names)

    static func state(_ name: String) -> Field {
        .names(
            name,
            NamedValues([
                0: "off", 1: "low_power", 2: "fault", 3: "bulk", 4: "absorption", 5: "float", 6: "storage",
                7: "equalize_manual", 8: "pass_through", 9: "inverting", 10: "assisting", 11: "power_supply",
                245: "starting_up", 246: "repeated_absorption", 247: "recondition", 248: "battery_safe",
                249: "active", 251: "blocked", 252: "external_control",
            ]), unknown: [0xFF])
    }

    static let error = Field.names(
        "charger_error",
        NamedValues([
            0: "no_error", 1: "temperature_battery_high", 2: "voltage_high", 17: "temperature_charger",
            18: "over_current", 19: "current_polarity_reversed", 20: "bulk_time", 26: "temperature_terminals",
            28: "converter_issue", 33: "input_voltage", 34: "input_current", 38: "input_shutdown_voltage",
            39: "input_shutdown_failure", 67: "lost_remote_bms", 116: "factory_calibration_lost",
            119: "settings_data_invalid",
        ]), unknown: [0xFF])

    /// The reason why an output is off: usually one bit is set.
    static let offReason = Field.names(
        "off_reason",
        NamedValues([
            0x00: "none", 0x01: "no_input_power", 0x02: "switched_off_switch", 0x04: "switched_off_register",
            0x08: "remote_input", 0x10: "protection_active", 0x20: "pay_as_you_go_out_of_credit", 0x40: "bms",
            0x80: "engine_shutdown", 0x100: "analysing_input_voltage", 0x200: "battery_temperature_low",
        ]), .uint32)

    static func volts(_ name: String) -> Field {
        .number(name, .sint16, 0.01, "V", unknown: [0x7FFF], kind: .voltage)
    }

    static func amperes(_ name: String) -> Field {
        .number(name, .sint16, 0.1, "A", unknown: [0x7FFF], kind: .current)
    }

    static func watts(_ name: String) -> Field {
        .number(name, .sint16, 1, "W", unknown: [0x7FFF], kind: .power)
    }

    static func yield(_ type: NumberType, _ scale: Decimal, _ unit: String) -> Field {
        .number("yield_today", type, scale, unit, unknown: [0xFFFF], kind: .energy)
    }

    static let remaining = Field.number(
        "remaining_mins", .uint16, 1, "min", unknown: [0xFFFF], kind: .duration)

    /// The mode of the auxiliary input, and the current, whose raw number is in mA.
    static let current = Field.bits(
        .uint24, .hidden("aux_mode", 0...1),
        .number("current", 2...23, 0.001, "A", unknown: [0x1FFFFF], kind: .current).signed)

    static let consumed = Field.bits(
        .uint32, .number("consumed_ah", 0...19, -0.1, "Ah", unknown: [0xFFFFF], kind: .measurement),
        stateOfCharge(20))

    static func stateOfCharge(_ bit: Int) -> BitField {
        .number("soc", bit...bit + 9, 0.1, "%", unknown: [0x3FF], kind: .battery)
    }

    static func temperature(_ bit: Int) -> BitField {
        .number(
            "battery_temperature", bit...bit + 6, 1, "°C", offset: -40, unknown: [0x7F], kind: .temperature)
    }

    static func power(_ name: String, _ range: ClosedRange<Int>) -> BitField {
        BitField.number(name, range, 1, "W", unknown: [0x3FFFF], kind: .power).signed
    }

    static let batteryAndInput = Field.bits(
        .uint16, .number("battery_voltage", 0...13, 0.01, "V", unknown: [0x3FFF], kind: .voltage),
        .names("active_ac_in", 14...15, .open("ac_in_1 ac_in_2 not_connected"), unknown: [3]))

    /// Returns the field of the auxiliary input in one of its modes.
    ///
    /// The input is a signed voltage in mode 0, an unsigned voltage in mode 1, and hundredths of a kelvin in mode 2.
    static func auxiliary(_ name: String, _ formula: String, _ unit: String, _ mode: Int) -> Field {
        .calculated(
            name, "if(aux == \(mode == 0 ? 0x7FFF : 0xFFFF), null, \(formula))", unit,
            kind: unit == "V" ? .voltage : .temperature
        ).when("aux_mode", is: mode)
    }
}
