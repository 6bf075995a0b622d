import Bluetooth

extension Advertisements {
    /// Thermometers and hygrometers of several makers.
    static let hygrometers: [AdvertisementFormat] =
        [
            // The temperature begins in the upper byte of the company identifier.
            AdvertisementFormat(
                "thermopro_tp35", AdvertisementMatch(.anyCompany, startingWith: "C2", lengths: 6...255, names: ["TP3"]),
                [
                    .constant(0xC2), .temperature(.sint16, 0.1), .humidity(.uint8, unknown: 0xFF),
                    .bits(.uint8, .hidden("charge", 0...1)),
                    .calculated(
                        "battery", "if(charge == 2, 100, if(charge == 1, 50, 1))", "%", homeAssistant: .battery),
                    .bytes("rest").hidden.optional,
                ]),
            thermoProProbe(1), thermoProProbe(2),
            AdvertisementFormat(
                "sensorpro_t301", AdvertisementMatch(.company(0xAA55), startingWith: "01", lengths: 17...18),
                [
                    .reserved(2), .mac, Field.voltage(.uint16, 0.01).bigEndian,
                    Field.temperature(.sint16, 0.01).bigEndian,
                    Field.humidity(.uint16, 0.01).bigEndian, .battery(), .bytes("rest").hidden.optional,
                ]),
            AdvertisementFormat(
                "bluemaestro_temperature",
                AdvertisementMatch(.company(0x0133), startingWith: "0D", lengths: 8...255),
                [
                    .reserved(1), .battery(), .reserved(4), Field.temperature(.sint16, 0.1).bigEndian,
                    .bytes("rest").hidden.optional,
                ]),
            AdvertisementFormat(
                "bluemaestro_temperature_humidity",
                AdvertisementMatch(.company(0x0133), startingWith: "17", lengths: 14...255),
                blueMaestro(.temperature(.sint16, 0.1, name: "dew_point"))),
            AdvertisementFormat(
                "bluemaestro_pressure", AdvertisementMatch(.company(0x0133), startingWith: "1B", lengths: 14...255),
                blueMaestro(.pressure(.uint16, 0.1))),
            sensirion("04", [percentage("raw_humidity", "humidity", "raw_humidity * 100 / 65535")]),
            sensirion("06", [percentage("raw_humidity", "humidity", "raw_humidity * 125 / 65535 - 6")]),
            sensirion(
                "08",
                [percentage("raw_humidity", "humidity", "raw_humidity * 100 / 65535"), [.carbonDioxide()]]),
            sensirion(
                "0A",
                [percentage("raw_humidity", "humidity", "raw_humidity * 100 / 65535"), [.carbonDioxide()]]),
            // Jaalee: an iBeacon whose identifier is always the same and whose numbers are measurements.
            AdvertisementFormat(
                "jaalee",
                AdvertisementMatch(
                    .company(0x004C), startingWith: "0215 EBEFD08370A247C89837E7B5634DF525", lengths: 24...24),
                [
                    .reserved(18), Field.number("raw_temperature", .uint16).bigEndian.hidden,
                    Field.number("raw_humidity", .uint16).bigEndian.hidden, .reserved(1), .battery(),
                    .calculatedTemperature("round(raw_temperature * 175 / 65535 - 45, 4)"),
                    .calculatedHumidity("round(raw_humidity * 100 / 65535, 4)"),
                ]),
        ] + [0x10, 0x11, 0x14, 0x15, 0x18, 0x1B, 0x30].map(thermoBeacon)

    private static func thermoBeacon(_ company: UInt16) -> AdvertisementFormat {
        AdvertisementFormat(
            "thermobeacon", AdvertisementMatch(.company(company), startingWith: "??00", lengths: 18...18),
            [
                .reserved(1), .reserved(1), .reversedMAC, .voltage(), .temperature(.sint16, 0.0625),
                .humidity(.uint16, 0.0625), .number("uptime", .uint32, 1, "s", homeAssistant: .duration),
            ])
    }

    /// A probe for meat; the lower byte of the company identifier says which.
    private static func thermoProProbe(_ number: Int) -> AdvertisementFormat {
        AdvertisementFormat(
            "thermopro_tp96",
            AdvertisementMatch(
                .anyCompany, startingWith: number == 1 ? "00" : "01", lengths: 7...7,
                services: [UUID(0x72FB_B631_6F6B_D1BA_DB55_2EE6_FDD9_42BD as UInt128)]),
            [
                .reserved(1), .temperature(.uint8, offset: -30, name: "internal_temperature_probe_\(number)"),
                .reserved(1), .voltage(name: "voltage_probe_\(number)"),
                .temperature(.uint8, offset: -30, name: "ambient_temperature_probe_\(number)"), .reserved(1),
            ])
    }

    private static func blueMaestro(_ third: Field) -> [Field] {
        [
            .reserved(1), .battery(), .reserved(4), Field.temperature(.sint16, 0.1).bigEndian,
            Field.humidity(.uint16, 0.1).bigEndian, third.bigEndian, .bytes("rest").hidden.optional,
        ]
    }

    private static func percentage(_ raw: String, _ name: String, _ formula: String) -> [Field] {
        [.number(raw, .uint16).hidden, .calculatedHumidity("round(\(formula), 4)").named(name)]
    }

    /// Sensirion's gadgets; their samples have types.
    private static func sensirion(_ type: String, _ others: [[Field]]) -> AdvertisementFormat {
        let fields = [
            Field.reserved(2), .bytes("device_id", length: 2), .number("raw_temperature", .uint16).hidden,
            .calculatedTemperature("round(raw_temperature * 175 / 65535 - 45, 4)"),
        ]
        guard let start = BytePattern("00\(type)") else { preconditionFailure("\(type) is no sample type") }
        return AdvertisementFormat(
            "sensirion_\(type.lowercased())",
            AdvertisementMatch(.company(0x06D5), startingWith: start, lengths: 8...255),
            fields + others.joined() + [.bytes("rest").hidden.optional])
    }
}
