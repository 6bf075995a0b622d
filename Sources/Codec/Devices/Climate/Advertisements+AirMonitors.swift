import Bluetooth

extension Advertisements {
    /// The formats of Aranet's monitors of air, radiation and radon, with "smart home integrations" enabled.
    ///
    /// Source: Anrijs/Aranet4-Python; for the Aranet4, the layout that Shelly publishes for its gateways. The layout of
    /// the Aranet2 follows from the other models; there are no recorded packets of it.
    static let airMonitors: [AdvertisementFormat] = [
        // The company identifier is that of tests: the name identifies the device.
        AdvertisementFormat(
            "atmotube_pro", AdvertisementMatch(.company(0xFFFF), lengths: 12...12, names: ["ATMOTUBE", "Atmotube"]),
            [
                Field.number("tvoc", .uint16, 1, "ppb", kind: .volatileCompoundParts).bigEndian,
                Field.number("device_id", .uint16).bigEndian, .humidity(.uint8), .temperature(.sint8),
                Field.number("pressure", .uint32, 0.01, "hPa", kind: .airPressure).bigEndian,
                .bits(
                    .uint8, .shown("particle_sensor_on", 0), .shown("error", 1), .shown("bonded", 2),
                    .shown("battery_charging", 3), .hidden("charging_timer", 4), .shown("pre_heating", 6)),
                .battery(),
            ]),
        AdvertisementFormat(
            "atmotube_pro", AdvertisementMatch(.company(0xFFFF), lengths: 9...9, names: ["ATMOTUBE", "Atmotube"]),
            [("pm1", .pm1), ("pm25", .pm25), ("pm10", .pm10)].map { name, kind in
                Field.particles(name, .uint16, kind: kind).bigEndian
            } + [.reserved(3)]),
        AdvertisementFormat(
            "aranet4", AdvertisementMatch(.company(0x0702), lengths: 22...22), header(8), carbonDioxide, temperature,
            pressure, [.humidity(.uint8), .battery(), status], tail),
        AdvertisementFormat(
            "aranet2", AdvertisementMatch(.company(0x0702), startingWith: "01", lengths: 24...24), [.reserved(1)],
            header(7), [.reserved(2)], temperature, [.reserved(2)], humidity, [.reserved(1), .battery()],
            [.bits(.uint8, .names("status_humidity", 0...1, limits), .names("status_temperature", 2...3, limits))], tail
        ),
        AdvertisementFormat(
            "aranet_radiation", AdvertisementMatch(.company(0x0702), startingWith: "02", lengths: 24...24),
            [.reserved(1)], header(5), radiation, [.reserved(1), .battery(), status], tail),
        // The smallest radon monitor has no sensors for temperature and humidity and sends 0 for both.
        AdvertisementFormat(
            "aranet_radon", AdvertisementMatch(.company(0x0702), startingWith: "03", lengths: 24...24), [.reserved(1)],
            header(7), radon, temperature(unless: "raw_temperature == 0"), pressure,
            humidity(unless: "raw_humidity == 0"), [.reserved(1), .battery(), status], tail),
    ]

    /// Returns the first fields of a packet: flags, version and reserved bytes.
    private static func header(_ length: Int) -> [Field] {
        [.reserved(1), .version("version", parts: 3), .reserved(length - 4)]
    }

    // A number has one bit that is set if the value is missing: the sensor is being calibrated or is out of order.
    private static let carbonDioxide = [
        Field.number("raw_carbon_dioxide", .uint16).hidden,
        .calculated(
            "carbon_dioxide", "if(raw_carbon_dioxide & 0x8000, null, raw_carbon_dioxide)", "ppm",
            kind: .carbonDioxide),
    ]
    private static let temperature = temperature(unless: "0")
    private static let humidity = humidity(unless: "0")
    private static let pressure = [
        Field.number("raw_pressure", .uint16).hidden,
        .calculated(
            "pressure", "if(raw_pressure & 0x8000, null, raw_pressure / 10)", "hPa", kind: .airPressure),
    ]
    // For radon, a number from 0x1F00 on means that the value is missing.
    private static let radon = [
        Field.number("raw_radon", .uint16).hidden,
        .calculated("radon", "if(raw_radon >= 0x1F00, null, raw_radon)", "Bq/m³", kind: .measurement),
    ]

    private static let radiation = [
        Field.number("radiation_total", .uint32, 1, "nSv", kind: .measurement),
        .number("radiation_duration", .uint32, 1, "s", kind: .duration),
        .number("radiation_rate", .uint16, 1, "nSv/h", kind: .measurement),
    ]

    private static func temperature(unless absence: String) -> [Field] {
        [
            .number("raw_temperature", .uint16).hidden,
            .calculatedTemperature("if(raw_temperature & 0x4000 || \(absence), null, raw_temperature * 0.05)"),
        ]
    }

    private static func humidity(unless absence: String) -> [Field] {
        [
            .number("raw_humidity", .uint16).hidden,
            .calculatedHumidity("if(raw_humidity & 0x8000 || \(absence), null, raw_humidity / 10)"),
        ]
    }

    private static let status = Field.names("status", .open("none green yellow red"))
    /// The relation of a value to the limits that the user has set in the monitor.
    private static let limits = NamedValues.open("off under over dash")

    private static let tail = [
        Field.number("interval", .uint16, 1, "s"), .number("age", .uint16, 1, "s"), .number("packet_id", .uint8),
    ]
}
