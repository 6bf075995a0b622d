extension Characteristics {
    /// The characteristics for the state and the properties of a battery.
    ///
    /// Source: GATT Specification Supplement; Battery Service (180F).
    static let battery: [CharacteristicDefinition] = [
        .conditions("battery_critical_status", .uint8, "critical_power_state immediate_service_required"),
        .record(
            "battery_level_status", .flags(.uint8),
            .conditions(
                "power_state", .uint16,
                [
                    .shown("battery_present", 0), .names("wired_external_power_source", 1...2, connection),
                    .names("wireless_external_power_source", 3...4, connection),
                    .names(
                        "battery_charge_state", 5...6,
                        .reserved("unknown charging discharging_active discharging_inactive")),
                    .names("battery_charge_level", 7...8, .reserved("unknown good low critical")),
                    .names(
                        "charging_type", 9...11,
                        .open("unknown_or_not_charging constant_current constant_voltage trickle float")),
                    .shown("battery_charging_fault", 12), .shown("external_power_charging_fault", 13),
                    .shown("other_charging_fault", 14),
                ]),
            .number("identifier", .uint16).ifBit(0),
            .number("battery_level", .uint8, 1, "%", in: 0...100, kind: .battery).ifBit(1),
            .conditions(
                "additional_status", .uint8,
                [
                    .names("service_required", 0...1, .open("no yes unknown")), .shown("battery_fault", 2),
                ]
            ).ifBit(2)),
        .record(
            "battery_energy_status", .flags(.uint8),
            .number("external_source_power", .medfloat16, 1, "W", kind: .power).ifBit(0),
            .number("present_voltage", .medfloat16, 1, "V", kind: .voltage).ifBit(1),
            .number("available_energy", .medfloat16, 1, "kWh", kind: .storedEnergy).ifBit(2),
            .number("available_battery_capacity", .medfloat16, 1, "kWh", kind: .storedEnergy).ifBit(3),
            .number("charge_rate", .medfloat16, 1, "W", kind: .power).ifBit(4),
            .number("available_energy_at_last_charge", .medfloat16, 1, "kWh", kind: .storedEnergy).ifBit(5)),
        .record(
            "battery_time_status", .flags(.uint8), minutes("time_until_discharged"),
            minutes("time_until_discharged_on_standby").ifBit(0), minutes("time_until_recharged").ifBit(1)),
        .record(
            "battery_health_status", .flags(.uint8),
            .number("battery_health_summary", .uint8, 1, "%", in: 0...100, kind: .measurement).ifBit(0),
            .number("cycle_count", .uint16, kind: .measurement).ifBit(1),
            degrees("current_temperature").ifBit(2),
            .number("deep_discharge_count", .uint16, kind: .measurement).ifBit(3)),
        .record(
            "battery_health_information", .flags(.uint8),
            .number("cycle_count_designed_lifetime", .uint16).ifBit(0),
            degrees("min_designed_operating_temperature").ifBit(1),
            degrees("max_designed_operating_temperature").ifBit(1)),
        .record(
            "battery_information", .flags(.uint16),
            .conditions("battery_features", .uint8, "battery_replaceable battery_rechargeable"),
            Field.value("battery_manufacture_date", .date).ifBit(0),
            Field.value("battery_expiration_date", .date).ifBit(1),
            .number("battery_designed_capacity", .medfloat16, 1, "kWh").ifBit(2),
            .number("battery_low_energy", .medfloat16, 1, "kWh").ifBit(3),
            .number("battery_critical_energy", .medfloat16, 1, "kWh").ifBit(4),
            .names("battery_chemistry", chemistry).ifBit(5),
            .number("nominal_voltage", .medfloat16, 1, "V").ifBit(6),
            .number("battery_aggregation_group", .uint8).ifBit(7)),
    ]

    private static let connection = NamedValues.open("no yes unknown")

    private static let chemistry = NamedValues(
        [
            0: "unknown", 1: "alkaline", 2: "lead_acid", 3: "lithium_iron_disulfide",
            4: "lithium_manganese_dioxide", 5: "lithium_ion", 6: "lithium_polymer", 7: "nickel_oxyhydroxide",
            8: "nickel_cadmium", 9: "nickel_metal_hydride", 10: "silver_oxide", 11: "zinc_chloride", 12: "zinc_air",
            13: "zinc_carbon", 255: "other",
        ], isComplete: true)

    private static func minutes(_ name: String) -> Field {
        .number(name, .uint24, 1, "min", unknown: [0xFFFFFF, 0xFFFFFE], kind: .duration)
    }

    /// Returns the field of a temperature in °C.
    ///
    /// 0x7F (above 126 °C) and 0x80 (below -127 °C) are read as null.
    private static func degrees(_ name: String) -> Field {
        .number(name, .sint8, 1, "°C", unknown: [0x7F, -0x80], kind: .temperature)
    }
}
