import Bluetooth

extension Advertisements {
    /// The formats of Govee's thermometers with probes.
    ///
    /// The company identifier is part of the device's address.
    ///
    /// Source: Bluetooth-Devices/govee-ble; theengs/decoder.
    static let goveeProbes: [AdvertisementFormat] = [
        // Newer devices of the model have another layout: temperatures in hundredths of a degree, and no battery.
        thermometer("5055", 0x5550, 20...255, startingWith: "???? ???? 000101E4", hundredths),
        thermometer("5055", 0x5550, 20...22, twoOfSix),
        thermometer("5181", 0x8151, 16...255, [.reserved(10)] + one + [.rest]),
        thermometer("5183", 0x8351, 16...255, [.reserved(10)] + one + [.rest]),
        thermometer(
            "5182", 0x8251, 19...255,
            [.reserved(10)] + one + [
                .reserved(1), probe("temperature_probe_2"), probe("temperature_alarm_probe_2"), .rest,
            ]),
        thermometer(
            "5184", 0x8451, 19...255,
            pair + either(1, "temperature temperature_alarm") + [.reserved(1)]
                + either(2, "temperature temperature_alarm") + [.rest]),
        thermometer("5185", 0x8551, 22...255, twoOfFour + [.rest]),
        thermometer("5198", 0x9851, 22...255, twoOfFour + [.rest]),
        thermometer(
            "5191", 0x9151, 22...255,
            [.reserved(10)] + one + [
                probe("low_temperature_alarm_probe_1"), probe("ambient_temperature"), .reserved(4), .rest,
            ]),
    ].flatMap(\.self)

    /// Returns two formats of a device: one is recognized by the service, the other by the name.
    private static func thermometer(
        _ model: String, _ service: UUID, _ lengths: ClosedRange<Int>, startingWith start: BytePattern = "",
        _ fields: [Field]
    ) -> [AdvertisementFormat] {
        let names = ["GVH\(model)", "GV\(model)", "Govee_H\(model)"]
        return [
            AdvertisementMatch(.anyCompany, startingWith: start, lengths: lengths, services: [service]),
            AdvertisementMatch(.anyCompany, startingWith: start, lengths: lengths, names: names),
        ].map { AdvertisementFormat("govee_h\(model)", $0, fields) }
    }

    private static func probe(_ name: String) -> Field {
        Field.temperature(.sint16, 0.01, unknown: -1, name: name).bigEndian
    }

    private static let one = [probe("temperature_probe_1"), probe("temperature_alarm_probe_1")]

    /// The fields up to the number of the pair: each packet contains two of up to four probes.
    private static let pair = [Field.reserved(8), .bits(.uint8, .hidden("pair", 0...5)), .reserved(1)]

    /// Returns the fields of the first (1) or the second (2) probe of a pair.
    private static func either(_ number: Int, _ names: String) -> [Field] {
        names.split(separator: " ").flatMap { name in
            [1, 2].map { pair in probe("\(name)_probe_\(2 * pair - 2 + number)").when("pair", is: pair) }
        }
    }

    private static let twoOfFour =
        pair + [1, 2].flatMap { either($0, "temperature temperature_alarm low_temperature_alarm") }

    /// The fields of two of six probes: a temperature and two alarms each.
    private static let hundredths: [Field] =
        [.reserved(8), .bits(.uint8, .hidden("pair", 6...7)), .reserved(1)]
        + temperatures(ofProbe: 1) + [.reserved(4)] + temperatures(ofProbe: 2) + [.rest]

    /// Returns the temperatures of the first (1) or the second (2) probe of a pair among six probes.
    private static func temperatures(ofProbe number: Int) -> [Field] {
        (0..<3).map { pair in probe("temperature_probe_\(2 * pair + number)").when("pair", is: pair) }
    }

    private static let twoOfSix: [Field] = twoOfSixHead + fields(ofProbe: 0) + fields(ofProbe: 1) + [.rest]

    private static let twoOfSixHead: [Field] = [
        .reserved(4), .bits(.uint8, .number("battery", 0...6, 1, "%", kind: .battery)),
        .bits(.uint8, .hidden("pair", 6...7)),
    ]

    /// Returns the fields of the first (0) or the second (1) probe of a pair among six probes.
    private static func fields(ofProbe index: Int) -> [Field] {
        var fields: [Field] = [.reserved(1)]
        for name in ["temperature", "low_temperature_alarm", "temperature_alarm"] {
            for pair in 0..<3 {
                let number = 2 * pair + index + 1
                let field = Field.temperature(.sint16, unknown: -1, name: "\(name)_probe_\(number)")
                fields.append(field.when("pair", is: pair))
            }
        }
        return fields
    }
}
