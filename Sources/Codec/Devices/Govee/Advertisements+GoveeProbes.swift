import Bluetooth

extension Advertisements {
    /// Govee's thermometers with probes; the company identifier is part of the device's address.
    static let goveeProbes: [AdvertisementFormat] = [
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
        thermometer("5185", 0x8551, 22...22, twoOfFour),
        thermometer("5198", 0x9851, 22...22, twoOfFour),
        thermometer(
            "5191", 0x9151, 22...22,
            [.reserved(10)] + one + [
                probe("low_temperature_alarm_probe_1"), probe("ambient_temperature"), .reserved(4),
            ]),
    ].flatMap(\.self)

    /// A device known by a service, or, where that is not heard, by its name.
    private static func thermometer(
        _ model: String, _ service: UUID, _ lengths: ClosedRange<Int>, _ fields: [Field]
    ) -> [AdvertisementFormat] {
        let names = ["GVH\(model)", "GV\(model)", "Govee_H\(model)"]
        return [
            AdvertisementMatch(.anyCompany, lengths: lengths, services: [service]),
            AdvertisementMatch(.anyCompany, lengths: lengths, names: names),
        ].map { AdvertisementFormat("govee_h\(model)", $0, fields) }
    }

    private static func probe(_ name: String) -> Field {
        Field.temperature(.sint16, 0.01, unknown: -1, name: name).bigEndian
    }

    private static let one = [probe("temperature_probe_1"), probe("temperature_alarm_probe_1")]

    /// Which two of four probes a packet is about.
    private static let pair = [Field.reserved(8), .bits(.uint8, .hidden("pair", 0...5)), .reserved(1)]

    /// The first or the second of such a pair.
    private static func either(_ number: Int, _ names: String) -> [Field] {
        names.split(separator: " ").flatMap { name in
            [1, 2].map { pair in probe("\(name)_probe_\(2 * pair - 2 + number)").when("pair", is: pair) }
        }
    }

    private static let twoOfFour =
        pair + [1, 2].flatMap { either($0, "temperature temperature_alarm low_temperature_alarm") }

    private static let twoOfSix: [Field] =
        [
            .reserved(4), .bits(.uint8, .number("battery", 0...6, 1, "%", homeAssistant: .battery)),
            .bits(.uint8, .hidden("pair", 6...7)),
        ]
        + (0..<2).flatMap { index in
            [.reserved(1)]
                + ["temperature", "low_temperature_alarm", "temperature_alarm"].flatMap { name in
                    (0..<3).map { pair in
                        Field.temperature(.sint16, unknown: -1, name: "\(name)_probe_\(2 * pair + index + 1)")
                            .when("pair", is: pair)
                    }
                }
        } + [.rest]
}
