import Bluetooth

extension Advertisements {
    /// The formats of meters of energy, water and levels.
    ///
    /// Source: Bluetooth-Devices/kegtron-ble for Kegtron; theengs/decoder for the others.
    static let meters: [AdvertisementFormat] =
        [
            // The kind of meter and its alarms are in the place of the company identifier.
            AdvertisementFormat(
                "inode_energy_meter", AdvertisementMatch(.anyCompany, startingWith: "9? 82", lengths: 13...13),
                [
                    .bits(.uint8, .shown("low_battery", 2)), .reserved(1),
                    .number("impulses_per_minute", .uint16).hidden,
                    .number("impulses", .uint32).hidden,
                    .bits(
                        .uint16, .hidden("impulses_per_unit", 0...13),
                        .names("unit", 14...15, .units("kWh m³ impulses reserved"))),
                    .bits(.uint8, .number("light_level", 0...3), .hidden("charge", 4...7)), .reserved(2),
                    // A meter that has not been configured sends 0 impulses per unit: the default of its unit applies.
                    .calculated(
                        "divisor",
                        "if(impulses_per_unit, impulses_per_unit, if(unit == 0, 100, if(unit == 1, 1000, 1)))"
                    ).hidden,
                    .calculated(
                        "average", "round(impulses_per_minute * 60 / divisor, 6)", kind: .measurement),
                    .calculated("sum", "round(impulses / divisor, 6)", kind: .measurement),
                    .calculated(
                        "battery", "if(charge == 1, 100, min(max((charge - 1) * 10, 0), 100))", "%",
                        kind: .battery),
                ]),
            AdvertisementFormat(
                "otodata", AdvertisementMatch(.company(0x03B1), startingWith: "4F544F54454C45", lengths: 19...19),
                [
                    .reserved(9), .number("level", .uint16, 0.01, "%", kind: .measurement),
                    .number("status", .uint16),
                    .rest,
                ]),
            AdvertisementFormat(
                "otodata_identity", AdvertisementMatch(.company(0x03B1), startingWith: "4F544F", lengths: 22...22),
                [.reserved(7), .number("serial", .uint32), .reserved(7), .number("model_type", .uint32)]),
            AdvertisementFormat(
                "hobo_mx2001", AdvertisementMatch(.company(0x00C5), startingWith: "07", lengths: 20...20),
                [.reserved(16), .number("water_level", .float32, 100, "cm", kind: .distance)]),
            AdvertisementFormat(
                "amphiro", AdvertisementMatch(.company(0xFAEE), lengths: 14...255),
                [
                    Field.number("session", .uint24).bigEndian,
                    Field.number("duration", .uint16, 1, "s", kind: .duration).bigEndian, .reserved(3),
                    Field.number("raw_volume", .uint24).bigEndian.hidden, .temperature(.uint8),
                    Field.number("energy", .uint16, 0.01, "kWh", kind: .energy).bigEndian,
                    .calculated("volume", "round(raw_volume / 2560, 3)", "L", kind: .volume),
                    .rest,
                ]),
        ]
        // The highest bits of the seventh byte identify the port: the only one, the first of two, or the second of two.
        + [keg("0?", ""), keg("4?", "_port_1"), keg("5?", "_port_2")]
        // The number of the tire is in the address of the sensor, which the packet contains.
        + (0..<4).map(tire)

    private static func keg(_ port: String, _ suffix: String) -> AdvertisementFormat {
        func litres(_ name: String) -> Field {
            Field.number(name + suffix, .uint16, 0.001, "L", kind: .storedVolume).bigEndian
        }
        return AdvertisementFormat(
            "kegtron", AdvertisementMatch(.company(0xFFFF), startingWith: "???? ???? ???? \(port)", lengths: 27...27),
            [
                litres("keg_size"), litres("volume_start"), litres("volume_dispensed"),
                .bits(
                    .uint8, .names("port_state" + suffix, 0...0, .reserved("unconfigured configured")),
                    .names("port_count", 6...6, .reserved("single_port_device dual_port_device"))),
                kegType(suffix), .text("port_name" + suffix),
            ])
    }

    /// Returns the field of the kind of keg, which follows from the size of the keg in litres.
    private static func kegType(_ suffix: String) -> Field {
        let kegs = [
            (9.464, "Half Corny (2.5 gal)"), (18.927, "Corny (5.0 gal)"), (19.55, "1/6 Barrel (5.167 gal)"),
            (19.711, "1/6 Barrel (5.167 gal)"), (20, "20L (5.283 gal)"), (20.457, "Pin (5.404 gal)"),
            (29.337, "1/4 Barrel (7.75 gal)"), (40.915, "Firkin (10.809 gal)"), (50, "50L (13.209 gal)"),
            (58.674, "1/2 Barrel (15.5 gal)"),
        ]
        let formula = kegs.enumerated().reduce("0") { rest, keg in
            "if(keg_size\(suffix) == \(keg.element.0), \(keg.offset + 1), \(rest))"
        }
        let types = [0: "Other"].merging(kegs.enumerated().map { ($0.offset + 1, $0.element.1) }) { first, _ in first }
        return .calculated("keg_type" + suffix, formula).named(NamedValues(types).withoutNumbers)
    }

    private static func tire(_ index: Int) -> AdvertisementFormat {
        AdvertisementFormat(
            "tire_pressure", AdvertisementMatch(.company(0x0100), startingWith: "8\(index)EACA", lengths: 16...16),
            [
                .mac, .number("pressure", .uint32, 0.00001, "bar", kind: .pressure),
                .temperature(.sint32, 0.01), .battery(), Field.value("alarm", .boolean),
                .calculated("count", "\(index + 1)"),
            ])
    }
}
