import Bluetooth

extension Advertisements {
    /// The formats of devices for the kitchen and for brewing: meat thermometers, cooker hoods, hydrometers.
    ///
    /// Source: combustion-inc/combustion-documentation; for Chef iQ, the packets of Invader444/chefiq-ble (version 5)
    /// and custom-components/ble_monitor (version 4); elupus/fjaraskupan; sairon/rapt-ble for RAPT.
    static let kitchen: [AdvertisementFormat] = [
        AdvertisementFormat(
            "combustion_probe", AdvertisementMatch(.company(0x09C7), startingWith: "01", lengths: 20...22),
            combustion + combustionTemperatures + [.rest]),
        AdvertisementFormat(
            "combustion_node", AdvertisementMatch(.company(0x09C7), startingWith: "02", lengths: 20...22),
            combustionNode),
        AdvertisementFormat(
            "combustion_gauge", AdvertisementMatch(.company(0x09C7), startingWith: "03", lengths: 22...22),
            combustionGauge),
        AdvertisementFormat(
            "chefiq_probe", AdvertisementMatch(.company(0x05CD), startingWith: "?1 5?", lengths: 14...18),
            [.reserved(2), degrees("ambient_temperature"), degrees("food_temperature")] + tips(4) + [.rest]),
        AdvertisementFormat(
            "chefiq_probe_status", AdvertisementMatch(.company(0x05CD), startingWith: "?3 5?", lengths: 10...18),
            [.reserved(8), .battery(), .rest]),
        earlyChefIQ("?1 2?"), earlyChefIQ("?1 4?"),
        // The first eight characters are HOODFJAR; the company identifier is HO.
        AdvertisementFormat(
            "fjaraskupan_hood", AdvertisementMatch(.company(0x4F48), startingWith: "4F44464A4152", lengths: 13...13),
            [
                .reserved(6), .number("fan_speed", .uint8), .number("after_cooking_fan_speed", .uint8),
                .bits(
                    .uint8, .shown("light_on", 0), .shown("after_cooking_on", 1), .shown("periodic_venting_on", 2)),
                .bits(
                    .uint8, .shown("grease_filter_full", 0), .shown("carbon_filter_full", 1),
                    .shown("carbon_filter_available", 2)),
                .reserved(1), .number("dim", .uint8).hidden, .number("venting", .uint8).hidden,
                .calculated("dim_level", "if(dim <= 100, dim, null)", "%"),
                .calculated("periodic_venting", "if(venting < 60, venting, null)", "min", kind: .duration),
            ]),
        // The company identifier is RA; the data begins with PT and the version.
        AdvertisementFormat(
            "rapt_pill", AdvertisementMatch(.company(0x4152), startingWith: "505401", lengths: 23...23),
            [.reserved(3), .mac] + hydrometer),
        AdvertisementFormat(
            "rapt_pill", AdvertisementMatch(.company(0x4152), startingWith: "505402", lengths: 23...23),
            [
                .reserved(3), .number("is_valid", .uint8).hidden, Field.number("velocity", .float32).bigEndian.hidden,
                .calculated("gravity_velocity", "if(is_valid, round(velocity, 4), null)", kind: .measurement),
                .reserved(1),
            ] + hydrometer),
    ]

    private static func degrees(_ name: String) -> Field {
        .number(name, .sint16, 0.1, "°C", kind: .temperature)
    }

    private static func tips(_ count: Int) -> [Field] {
        (1...count).map { degrees("probe_tip_\($0)_temperature") }
    }

    private static func earlyChefIQ(_ start: BytePattern) -> AdvertisementFormat {
        AdvertisementFormat(
            "chefiq_probe", AdvertisementMatch(.company(0x05CD), startingWith: start, lengths: 14...18),
            [.reserved(2), .battery(), .reserved(1), degrees("ambient_temperature"), degrees("food_temperature")]
                + tips(3) + [.rest])
    }

    /// The fields of a hydrometer; the acceleration is 1 g at rest.
    private static let hydrometer: [Field] =
        [
            Field.number("raw_temperature", .uint16).bigEndian.hidden,
            Field.number("raw_gravity", .float32).bigEndian.hidden,
            .calculatedTemperature("round(raw_temperature / 128 - 273.15, 2)"),
            .calculated("specific_gravity", "round(raw_gravity / 1000, 4)", kind: .measurement),
        ]
        + ["x", "y", "z"].map {
            Field.number("acceleration_\($0)", .sint16, 0.0000625, "g", kind: .measurement).bigEndian
        } + [
            Field.number("raw_battery", .sint16).bigEndian.hidden,
            .calculated("battery", "round(raw_battery / 256)", "%", kind: .battery),
        ]

    /// The fields of a probe with eight sensors of 13 bits; while it is read instantly, only the first one is valid.
    private static let combustion: [Field] =
        [
            .reserved(1), .number("serial_number", .uint32),
            .bits(
                .uint56, .hidden("raw_1", 0...12), .hidden("raw_2", 13...25), .hidden("raw_3", 26...38),
                .hidden("raw_4", 39...51), .hidden("low_5", 52...55)),
            .bits(
                .uint48, .hidden("high_5", 0...8), .hidden("raw_6", 9...21), .hidden("raw_7", 22...34),
                .hidden("raw_8", 35...47)),
            .calculated("raw_5", "high_5 * 16 + low_5").hidden,
            .bits(
                .uint8, .names("mode", 0...1, .open("normal instant_read reserved error")), BitField("probe_id", 5...7)),
            .bits(
                .uint8, .shown("low_battery", 0), .hidden("core", 1...3), .hidden("surface", 4...5),
                .hidden("ambient", 6...7)),
            .calculatedTemperature("if(mode < 2, raw_1 * 0.05 - 20, null)", name: "temperature_1"),
        ]
        + (2...8).map {
            .calculatedTemperature("if(mode == 0, raw_\($0) * 0.05 - 20, null)", name: "temperature_\($0)")
        }

    private static let combustionTemperatures: [Field] =
        [
            virtual("core", first: 1, count: 6), virtual("surface", first: 4, count: 4),
            virtual("ambient", first: 5, count: 4),
        ]

    /// The fields of a display or a booster, which repeats the packets of all probes by turns: each probe has names of its
    /// own, which begin with its number.
    private static let combustionNode: [Field] =
        combustion.map(hidden) + (0..<8).flatMap(fields(ofProbe:)) + [.rest]

    private static func fields(ofProbe index: Int) -> [Field] {
        let probe = "probe_\(index + 1)"
        let temperatures = combustionTemperatures.map { $0.named("\(probe)_\($0.name)") }
        let fields = temperatures + [.truth("\(probe)_low_battery", "low_battery")]
        return fields.map { $0.when("probe_id", is: index) }
    }

    /// Returns a field that no reading shows, neither its bits.
    private static func hidden(_ field: Field) -> Field {
        guard case .bits(var set) = field.content else { return field.hidden }
        set.bits = set.bits.map(\.hidden)
        var hidden = field
        hidden.content = .bits(set)
        return hidden
    }

    /// The fields of a gauge in the lid of a grill; without its sensor, the temperature is 0.
    private static let combustionGauge: [Field] =
        [
            .reserved(1), .text("serial_number", length: 10), .bits(.uint16, .hidden("raw_temperature", 0...12)),
            .bits(.uint8, .shown("sensor_present", 0), .shown("sensor_overheating", 1), .shown("low_battery", 2)),
            .battery(), .calculatedTemperature("if(sensor_present, raw_temperature * 0.1 - 20, null)"),
        ]
        + ["high", "low"].map { name in
            .bits(
                .uint16, .shown("\(name)_alarm_set", 0), .shown("\(name)_alarm_tripped", 1),
                .shown("\(name)_alarm_sounding", 2),
                .number("\(name)_alarm_temperature", 3...15, 0.1, "°C", offset: -20))
        } + [.rest]

    /// Returns the field of a virtual sensor, which is one of the real sensors.
    private static func virtual(_ name: String, first: Int, count: Int) -> Field {
        let formula = (0..<count).reversed().reduce("null") { "if(\(name) == \($1), temperature_\(first + $1), \($0))" }
        return .calculatedTemperature("if(mode == 0, \(formula), null)", name: "\(name)_temperature")
    }
}
