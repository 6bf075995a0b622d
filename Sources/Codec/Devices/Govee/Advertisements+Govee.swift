import Bluetooth

extension Advertisements {
    /// Govee's thermometers. Their company identifiers are not real ones.
    static let govee: [AdvertisementFormat] = [
        // Temperature, humidity and particles in one number of four bytes.
        AdvertisementFormat(
            "govee_h5106", AdvertisementMatch(.company(0x0001), lengths: 6...255, names: ["GVH5106"]),
            [
                .reserved(2),
                Field.bits(.uint32, .hidden("below_zero", 31), .hidden("packed", 0...30)).bigEndian,
                .calculatedTemperature("if(below_zero, -1, 1) * floor(packed / 1000000) / 10"),
                .calculatedHumidity("floor(packed / 1000) % 1000 / 10"),
                .calculated("pm25", "packed % 1000", "μg/m³", homeAssistant: .pm25), .rest,
            ]),
        AdvertisementFormat(
            "govee_h5140", AdvertisementMatch(.company(0x0001), lengths: 8...255, names: ["GV5140"]),
            [
                .reserved(2), packed, Field.number("concentration", .uint16).bigEndian.hidden,
                .bits(.uint8, .hidden("error", 0)), temperature, humidity,
                .calculated(
                    "carbon_dioxide", "if(error, null, concentration)", "ppm", homeAssistant: .carbonDioxide),
                .rest,
            ]),
        AdvertisementFormat(
            "govee_h5112", AdvertisementMatch(.company(0x0001), lengths: 8...255, names: ["GV5112"]),
            [
                .reserved(2), packed, battery, .reserved(1), Field.bits(.uint8, .hidden("probe", 0...3)),
                .calculatedTemperature(temperatureFormula, name: "temperature_probe_1").when("probe", is: 1),
                .calculated("humidity_probe_1", humidityFormula, "%", homeAssistant: .humidity)
                    .when("probe", is: 1),
                .calculatedTemperature(temperatureFormula, name: "temperature_probe_2").when("probe", is: 2), .rest,
            ]),
        AdvertisementFormat(
            "govee_h5178", AdvertisementMatch(.company(0x0001), lengths: 7...255, names: ["B5178"]),
            [
                .reserved(2), .names("sensor", .open("primary remote")), packed, battery, temperature, humidity,
                .rest,
            ]),
        AdvertisementFormat(
            "govee_h5101",
            AdvertisementMatch(.company(0x0001), startingWith: "0101", lengths: 6...255, names: ["GV", "Govee"]),
            [.reserved(2), packed, battery, temperature, humidity, .rest]),
        AdvertisementFormat(
            "govee_h5101",
            AdvertisementMatch(.company(0x0001), startingWith: "0101", lengths: 6...255, services: [0xEC88]),
            [.reserved(2), packed, battery, temperature, humidity, .rest]),
        AdvertisementFormat(
            "govee_h5074", AdvertisementMatch(.company(0xEC88), lengths: 7...7),
            [.reserved(1), .temperature(.sint16, 0.01), .humidity(.uint16, 0.01), .battery(), .reserved(1)]),
        AdvertisementFormat(
            "govee_h5071", AdvertisementMatch(.company(0xEC88), lengths: 9...9),
            [.reserved(1), .temperature(.sint16, 0.01), .humidity(.uint16, 0.01), .battery(), .reserved(3)]),
        AdvertisementFormat(
            "govee_h5075", AdvertisementMatch(.company(0xEC88), startingWith: "00", lengths: 6...255),
            [.reserved(1), packed, battery, temperature, humidity, .rest]),
        AdvertisementFormat(
            "govee_h5179", AdvertisementMatch(.company(0x8801), startingWith: "EC", lengths: 9...9),
            [.reserved(4), .temperature(.sint16, 0.01), .humidity(.uint16, 0.01), .battery()]),
        AdvertisementFormat(
            "govee_h5127", AdvertisementMatch(.company(0x8803), startingWith: "EC", lengths: 6...6),
            [.reserved(5), .bits(.uint8, .shown("occupancy", 0), .shown("motion", 4))]),
        // What its iBeacon says is always the same.
        AdvertisementFormat(
            "govee_beacon",
            AdvertisementMatch(.company(0x004C), startingWith: "0215 494E54454C4C495F524F434B53", lengths: 23...23),
            [.reserved(23)]),
        switches,
    ]

    /// Buttons and vibration sensors.
    private static let switches: AdvertisementFormat = {
        var format = AdvertisementFormat(
            "govee_h512x", AdvertisementMatch(.company(0xEF88), lengths: 24...24),
            [
                .reserved(6), .constant(1), .reserved(1), .number("model", .uint8).hidden, .constant(2), .battery(),
                .bits(.uint8, .hidden("low", 0...3), .hidden("high", 4...7)), .constant(0, .uint16),
                .constant(0, .uint64), event("vibration", "vibration").when("model", is: 0x09),
            ]
                + (0..<6).map { event("button_\($0)", "press").when("model", is: 0x0A).when("low", is: $0) }
                + (0..<2).map { event("button_\($0)", "press").when("model", is: 0x0D).when("high", is: $0 + 1) })
        format.cipher = AdvertisementCipher(
            mode: .reversedBlock, header: .init(length: 6), trailer: 2, nonce: [.bytes(.init(2, 6))])
        format.cipher?.checksum = .crc16Fujitsu
        return format
    }()

    private static func event(_ name: String, _ kind: String) -> Field {
        Field.calculated(name, "1").named(NamedValues([1: kind]))
    }

    /// Temperature × 10000 + humidity × 10 in three bytes, with a sign in front.
    private static let packed = Field.bits(.uint24, .hidden("below_zero", 23), .hidden("packed", 0...22)).bigEndian
    private static let battery = Field.bits(
        .uint8, .number("battery", 0...6, 1, "%", homeAssistant: .battery), .hidden("error", 7))

    // After an error the numbers are those of nothing.
    private static let temperatureFormula = "if(below_zero, -1, 1) * floor(packed / 1000) / 10"
    private static let humidityFormula = "packed % 1000 / 10"
    private static let temperature = Field.calculatedTemperature("if(error, null, \(temperatureFormula))")
    private static let humidity = Field.calculatedHumidity("if(error, null, \(humidityFormula))")
}
