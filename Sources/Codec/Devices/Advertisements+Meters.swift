import Bluetooth

extension Advertisements {
    /// Meters of energy, water and levels.
    static let meters: [AdvertisementFormat] = [
        // The identifier of the company is the kind of meter and its alarms.
        AdvertisementFormat(
            "inode_energy_meter", AdvertisementMatch(.anyCompany, startingWith: "9? 82", lengths: 13...13),
            [
                .bits(.uint8, .shown("low_battery", 2)), .reserved(1), .number("impulses_per_minute", .uint16).hidden,
                .number("impulses", .uint32).hidden,
                .bits(
                    .uint16, .hidden("impulses_per_unit", 0...13),
                    .names("unit", 14...15, .units("kWh m³ impulses reserved"))),
                .bits(.uint8, .number("light_level", 0...3), .hidden("charge", 4...7)), .reserved(2),
                .calculated(
                    "average", "if(impulses_per_unit, round(impulses_per_minute * 60 / impulses_per_unit, 6), null)",
                    homeAssistant: .plain),
                .calculated(
                    "sum", "if(impulses_per_unit, round(impulses / impulses_per_unit, 6), null)",
                    homeAssistant: .plain),
                .calculated(
                    "battery", "if(charge == 1, 100, min(max((charge - 1) * 10, 0), 100))", "%",
                    homeAssistant: .battery),
            ]),
        AdvertisementFormat(
            "otodata", AdvertisementMatch(.company(0x03B1), startingWith: "4F544F54454C45", lengths: 11...255),
            [
                .reserved(9), .number("level", .uint16, 0.01, "%", homeAssistant: .plain), .number("status", .uint16),
                .bytes("rest").hidden.optional,
            ]),
        AdvertisementFormat(
            "hobo_mx2001", AdvertisementMatch(.company(0x00C5), startingWith: "07", lengths: 20...20),
            [.reserved(16), .number("water_level", .float32, 1, "m", homeAssistant: .distance)]),
        AdvertisementFormat(
            "amphiro", AdvertisementMatch(.company(0xFAEE), lengths: 14...255),
            [
                Field.number("session", .uint24).bigEndian,
                Field.number("duration", .uint16, 1, "s", homeAssistant: .duration).bigEndian, .reserved(3),
                Field.number("raw_volume", .uint24).bigEndian.hidden, .temperature(.uint8),
                Field.number("energy", .uint16, 0.01, "kWh", homeAssistant: .energy).bigEndian,
                .calculated("volume", "round(raw_volume / 2560, 3)", "L", homeAssistant: .volume),
                .bytes("rest").hidden.optional,
            ]),
    ]
}
