import Bluetooth

extension Advertisements {
    /// The formats of Govee's thermometers and sensors.
    ///
    /// The company identifiers in the packets are not assigned to Govee.
    ///
    /// Source: Bluetooth-Devices/govee-ble; theengs/decoder.
    static let govee: [AdvertisementFormat] = byName + byLength + events

    private static let byName: [AdvertisementFormat] = [
        // One number of four bytes contains temperature, humidity and particles.
        AdvertisementFormat(
            "govee_h5106", AdvertisementMatch(.company(0x0001), lengths: 6...255, names: ["GVH5106"]),
            [
                .reserved(2),
                Field.bits(.uint32, .hidden("below_zero", 31), .hidden("packed", 0...30)).bigEndian,
                .calculatedTemperature("if(below_zero, -1, 1) * floor(packed / 1000000) / 10"),
                .calculatedHumidity("floor(packed / 1000) % 1000 / 10"),
                .calculated("pm25", "packed % 1000", "μg/m³", kind: .pm25), .rest,
            ]),
        AdvertisementFormat(
            "govee_h5140", AdvertisementMatch(.company(0x0001), lengths: 8...255, names: ["GV5140"]),
            [
                .reserved(2), packed, Field.number("concentration", .uint16).bigEndian.hidden,
                .bits(.uint8, .hidden("error", 0)), temperature, humidity,
                .calculated(
                    "carbon_dioxide", "if(\(isNone), null, concentration)", "ppm", kind: .carbonDioxide),
                .rest,
            ]),
        AdvertisementFormat(
            "govee_h5112", AdvertisementMatch(.company(0x0001), lengths: 8...255, names: ["GV5112"]),
            [
                .reserved(2), packed, battery, .reserved(1), Field.bits(.uint8, .hidden("probe", 0...3)),
                temperature.named("temperature_probe_1").when("probe", is: 1),
                humidity.named("humidity_probe_1").when("probe", is: 1),
                temperature.named("temperature_probe_2").when("probe", is: 2), .rest,
            ]),
        AdvertisementFormat(
            "govee_h5178", AdvertisementMatch(.company(0x0001), lengths: 7...255, names: ["B5178"]), pair),
    ]

    /// The formats of models that the company identifier and the length identify, the more specific formats first.
    private static let byLength: [AdvertisementFormat] =
        thermometer("govee_h5178", 0x0001, "0101", length: 9, names: ["GV", "Govee", "H5178"], pair)
        + thermometer("govee_h5178", 0x0001, "0101", length: 9, services: [0xEC88], pair)
        + [
            AdvertisementFormat(
                "govee_h5101",
                AdvertisementMatch(.company(0x0001), startingWith: "0101", lengths: 6...255, names: ["GV", "Govee"]),
                [.reserved(2), packed, battery, temperature, humidity, .rest]),
            AdvertisementFormat(
                "govee_h5101",
                AdvertisementMatch(.company(0x0001), startingWith: "0101", lengths: 6...255, services: [0xEC88]),
                [.reserved(2), packed, battery, temperature, humidity, .rest]),
        ]
        + thermometer(
            "govee_h5074", 0xEC88, length: 7,
            [.reserved(1), .temperature(.sint16, 0.01), .humidity(.uint16, 0.01), .battery(), .reserved(1), .rest])
        + thermometer(
            "govee_h5071", 0xEC88, length: 9,
            [.reserved(1), .temperature(.sint16, 0.01), .humidity(.uint16, 0.01), .battery(), .reserved(3), .rest])
        + [
            AdvertisementFormat(
                "govee_h5075", AdvertisementMatch(.company(0xEC88), startingWith: "00", lengths: 6...255),
                [.reserved(1), packed, battery, temperature, humidity, .rest])
        ]
        + thermometer(
            "govee_h5179", 0x8801, "EC", length: 9,
            [.reserved(4), .temperature(.sint16, 0.01), .humidity(.uint16, 0.01), .battery(), .rest])

    private static let events: [AdvertisementFormat] =
        [0x8803, 0x8843].flatMap { company in
            ["EC000101", "EC000201"].map { start in
                AdvertisementFormat(
                    "govee_h5127", AdvertisementMatch(.company(company), startingWith: start, lengths: 6...6),
                    [
                        .reserved(4), .number("present", .uint8).hidden, .number("moving", .uint8).hidden,
                        .truth("occupancy", "present == 1"), .truth("motion", "moving == 17"),
                    ])
            }
        } + [
            // The content of this iBeacon is constant.
            AdvertisementFormat(
                "govee_beacon",
                AdvertisementMatch(.company(0x004C), startingWith: "0215 494E54454C4C495F524F434B53", lengths: 23...23),
                [.reserved(23)]),
            switches,
        ]

    /// Returns the formats for packets of this length, with and without the iBeacon that some devices append.
    private static func thermometer(
        _ name: String, _ company: UInt16, _ start: String = "", length: Int, names: [String] = [],
        services: [UUID] = [], _ fields: [Field]
    ) -> [AdvertisementFormat] {
        let any = String(repeating: "??", count: length - start.count / 2)
        let beacon = "4C000215 494E54454C4C495F524F434B53"
        return [("\(start)", length), ("\(start)\(any)\(beacon)", length + 25)].map { start, length in
            AdvertisementFormat(
                name,
                AdvertisementMatch(
                    .company(company), startingWith: BytePattern(stringLiteral: start), lengths: length...length,
                    names: names, services: services), fields)
        }
    }

    /// The format of buttons, and of sensors of motion, windows, vibration and pressure.
    private static let switches: AdvertisementFormat = {
        var format = AdvertisementFormat(
            "govee_h512x", AdvertisementMatch(.company(0xEF88), lengths: 24...24),
            [
                .reserved(6), .constant(1), .reserved(1), .number("model", .uint8).hidden, .constant(2), .battery(),
                .number("status", .uint8).hidden, .constant(0, .uint16), .constant(0, .uint64),
                event("motion", "motion").when("model", is: 0x03).when("status", is: 1),
                .truth("window", "status == 2").when("model", is: 0x02),
                event("vibration", "vibration").when("model", is: 0x09).when("status", is: 1),
            ], buttons(1, ofModel: 0x08), buttons(6, ofModel: 0x0A), buttons(2, ofModel: 0x0B), pressurePad)
        format.cipher = AdvertisementCipher(
            mode: .reversedBlock, header: .init(length: 6), trailer: 2, nonce: [.bytes(.init(2, 6))])
        format.cipher?.checksum = .crc16Fujitsu
        return format
    }()

    private static func buttons(_ count: Int, ofModel model: Int) -> [Field] {
        (0..<count).map { event("button_\($0)", "press").when("model", is: model).when("status", is: $0) }
    }

    /// The fields of a pressure pad: its button, and whether there is pressure.
    private static let pressurePad: [Field] = [
        .calculated("is_pressed", "model == 0x0D && status & 0x10").hidden,
        event("button_0", "press").when("is_pressed"),
        .truth("presence", "status & 1").when("model", is: 0x0D).unless("status", is: 0x10),
    ]

    private static func event(_ name: String, _ kind: String) -> Field {
        Field.calculated(name, "1").named(NamedValues([1: kind]))
    }

    /// The number temperature × 10000 + humidity × 10 in three bytes; the highest bit is set below 0 °C.
    private static let packed = Field.bits(.uint24, .hidden("below_zero", 23), .hidden("packed", 0...22)).bigEndian
    private static let battery = Field.bits(
        .uint8, .number("battery", 0...6, 1, "%", kind: .battery), .hidden("error", 7))

    // If the error bit is set, the numbers are not valid. No sensor measures below -40 °C or above 100 °C.
    private static let isNone = "error || packed >= if(below_zero, 401000, 1001000)"
    private static let temperature = Field.calculatedTemperature(
        "if(\(isNone), null, if(below_zero, -1, 1) * floor(packed / 1000) / 10)")
    private static let humidity = Field.calculatedHumidity("if(\(isNone), null, packed % 1000 / 10)")

    /// The fields of a station or of its outdoor sensor.
    private static let pair: [Field] = [
        .reserved(2), .names("sensor", .open("primary remote")), packed, battery, temperature, humidity, .rest,
    ]
}
