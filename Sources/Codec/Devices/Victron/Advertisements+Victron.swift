extension Advertisements {
    /// The formats of Victron's instant readout, which is always encrypted with the key of the device.
    ///
    /// The fifth byte is the type of the record.
    ///
    /// Source: Victron Energy, "Extra Manufacturer Data", 2022-12-14; keshavdv/victron-ble.
    static let victron: [AdvertisementFormat] = [
        solarSense,
        record(
            "solar_charger", 0x01,
            [
                state("charge_state"), error, volts("battery_voltage"), amperes("battery_charging_current"),
                yield(.uint16, 10, "Wh"),
                .number("solar_power", .uint16, 1, "W", unknown: [0xFFFF], kind: .power),
                .bits(
                    .uint16, .number("external_device_load", 0...8, 0.1, "A", unknown: [0x1FF], kind: .current)
                ),
            ]),
        record(
            "battery_monitor", 0x02,
            [
                remaining, volts("voltage"), .number("alarm", .uint16), .number("aux", .uint16).hidden,
                current, consumed, auxiliary("starter_voltage", "if(aux > 32767, aux - 65536, aux) / 100", "V", 0),
                auxiliary("midpoint_voltage", "aux / 100", "V", 1),
                auxiliary("temperature", "aux / 100 - 273.15", "°C", 2),
            ]),
        record(
            "inverter", 0x03,
            [
                state("device_state"), .number("alarm", .uint16), volts("battery_voltage"),
                .number("ac_apparent_power", .uint16, 1, "VA", unknown: [0xFFFF], kind: .apparentPower),
                .bits(
                    .uint32, .number("ac_voltage", 0...14, 0.01, "V", unknown: [0x7FFF], kind: .voltage),
                    .number("ac_current", 15...25, 0.1, "A", unknown: [0x7FF], kind: .current)),
            ]),
        record(
            "dc_dc_converter", 0x04,
            [
                state("charge_state"), error,
                .number("input_voltage", .uint16, 0.01, "V", unknown: [0xFFFF], kind: .voltage),
                volts("output_voltage"), offReason,
            ]),
        record(
            "smart_lithium", 0x05,
            [
                .number("bms_flags", .uint32), .number("error_flags", .uint16),
                .bits(
                    .uint56,
                    (0..<8).map {
                        .number(
                            "cell_\($0 + 1)_voltage", 7 * $0...7 * $0 + 6, 0.01, "V", offset: 2.6, unknown: [0x7F],
                            kind: .voltage)
                    }),
                .bits(
                    .uint16, .number("battery_voltage", 0...11, 0.01, "V", unknown: [0xFFF], kind: .voltage),
                    .names(
                        "balancer_status", 12...15, .open("unknown balanced balancing imbalance"), unknown: [15])),
                .bits(.uint8, temperature(0)),
            ]),
        record(
            "inverter_rs", 0x06,
            [
                state("device_state"), error, volts("battery_voltage"), amperes("battery_current"),
                .number("pv_power", .uint16, 1, "W", unknown: [0xFFFF], kind: .power),
                yield(.uint16, 0.01, "kWh"), watts("ac_out_power"),
            ]),
        record(
            "gx_device", 0x07,
            [
                .number("battery_voltage", .uint16, 0.01, "V", unknown: [0xFFFF], kind: .voltage),
                .bits(
                    .uint48, .number("pv_power", 0...19, 1, "W", unknown: [0xFFFFF], kind: .power),
                    .number("soc", 20...26, 1, "%", unknown: [0x7F], kind: .battery),
                    .number("battery_power", 27...47, 1, "W", unknown: [0xFFFFF], kind: .power).signed),
                .bits(.uint24, .number("dc_power", 0...20, 1, "W", unknown: [0xFFFFF], kind: .power).signed),
            ]),
        record(
            "ac_charger", 0x08,
            [state("charge_state"), error]
                + (1...3).map {
                    .bits(
                        .uint24,
                        .number("output_voltage_\($0)", 0...12, 0.01, "V", unknown: [0x1FFF], kind: .voltage),
                        .number("output_current_\($0)", 13...23, 0.1, "A", unknown: [0x7FF], kind: .current))
                } + [
                    .bits(
                        .uint16, temperature(0),
                        .number("ac_current", 7...15, 0.1, "A", unknown: [0x1FF], kind: .current))
                ]),
        record(
            "smart_battery_protect", 0x09,
            [
                state("device_state"), .names("output_state", .open(from: 1, "on - - off")), error,
                .number("alarm", .uint16), .number("warning", .uint16), volts("input_voltage"),
                .number("output_voltage", .uint16, 0.01, "V", unknown: [0xFFFF], kind: .voltage), offReason,
            ]),
        record(
            "lynx_smart_bms", 0x0A,
            [
                .number("error_flags", .uint8), remaining, volts("voltage"), amperes("current"),
                .number("io_status", .uint16),
                .bits(
                    .uint56, BitField("alarm_flags", 0...17), stateOfCharge(18),
                    .number("consumed_ah", 28...47, 0.1, "Ah", unknown: [0xFFFFF], kind: .measurement),
                    temperature(48)),
            ]),
        record(
            "multi_rs", 0x0B,
            [
                state("device_state"), error, amperes("battery_current"), batteryAndInput, watts("active_ac_in_power"),
                watts("active_ac_out_power"),
                .number("pv_power", .uint16, 1, "W", unknown: [0xFFFF], kind: .power),
                yield(.uint16, 0.01, "kWh"),
            ]),
        record(
            "ve_bus", 0x0C,
            [
                state("device_state"), .number("error", .uint8, unknown: [0xFF]), amperes("battery_current"),
                batteryAndInput,
                .bits(
                    .uint56, power("ac_in_power", 0...18), power("ac_out_power", 19...37),
                    .names("alarm", 38...39, .open("no_alarm warning alarm"), unknown: [3]), temperature(40),
                    .number("soc", 47...53, 1, "%", unknown: [0x7F], kind: .battery)),
            ]),
        record(
            "dc_energy_meter", 0x0D,
            [
                .number("meter_type", .sint16), volts("voltage"), .number("alarm", .uint16),
                .number("aux", .uint16).hidden, current,
                auxiliary("starter_voltage", "if(aux > 32767, aux - 65536, aux) / 100", "V", 0),
                auxiliary("temperature", "aux / 100 - 273.15", "°C", 2),
            ]),
        record(
            "orion_xs", 0x0F,
            [
                state("charge_state"), error,
                .number("output_voltage", .uint16, 0.01, "V", unknown: [0xFFFF], kind: .voltage),
                .number("output_current", .uint16, 0.1, "A", unknown: [0xFFFF], kind: .current),
                .number("input_voltage", .uint16, 0.01, "V", unknown: [0xFFFF], kind: .voltage),
                .number("input_current", .uint16, 0.1, "A", unknown: [0xFFFF], kind: .current), offReason,
            ]),
    ]
}
