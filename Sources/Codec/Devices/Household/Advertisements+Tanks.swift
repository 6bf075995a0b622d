import Bluetooth

extension Advertisements {
    /// The formats of tank sensors: Mopeka's Standard Check, Garnet's SeeLevel and Gobius.
    ///
    /// Source: esphome/esphome (mopeka_std_check) for Mopeka; victronenergy/dbus-ble-sensors for the others.
    static let tanks: [AdvertisementFormat] =
        [2, 3].flatMap { model in ["0", "1", "2", "3"].map { standardCheck("??\($0)\(model)") } }
        + [
            AdvertisementFormat(
                "garnet_soul", AdvertisementMatch(.company(0x0CC0), lengths: 12...12),
                [.number("serial_number", .uint24)]
                    + (1...8).flatMap {
                        // A number above 100 is the code of an error, or there is no such tank.
                        [
                            Field.number("raw_\($0)", .uint8).hidden,
                            .calculated("tank_\($0)", "if(raw_\($0) > 100, null, raw_\($0))", "%", kind: .measurement),
                        ]
                    } + [.number("battery_voltage", .uint8, 0.1, "V", kind: .voltage)]),
            AdvertisementFormat(
                "garnet_seelevel", AdvertisementMatch(.company(0x0131), lengths: 14...14), seeLevel),
            AdvertisementFormat(
                "gobius_c", AdvertisementMatch(.company(0x0F53), lengths: 14...14),
                [
                    .reserved(1),
                    .bits(.uint8, .number("temperature", 0...6, 1, "°C", offset: -40, kind: .temperature)),
                    .number("distance", .uint16, 1, "mm", unknown: [0xFFFF, 0xFFFE], kind: .distance), .reserved(3),
                    .version("firmware_version", parts: 3), .rest,
                ]),
            safiery,
        ]

    /// Safiery's Star-Tank, which measures the distance from the top of a tank.
    ///
    /// Other devices use the same company identifier: the packet repeats the end of the address.
    private static let safiery: AdvertisementFormat = {
        var format = AdvertisementFormat(
            "safiery_star_tank",
            AdvertisementMatch(.company(0x0067), startingWith: BytePattern(0x0A, mask: 0x7F), lengths: 10...10),
            [
                .reserved(1), .bits(.uint8, .number("battery_voltage", 0...6, 0.03125, "V", kind: .batteryVoltage)),
                .bits(
                    .uint8, .number("temperature", 0...6, 1, "°C", offset: -40, kind: .temperature),
                    .shown("button_pressed", 7)),
                .bits(.uint16, .number("distance", 0...13, 1, "mm", kind: .distance)), .bytes("mac_end", length: 3),
                .number("acceleration_x", .sint8, 0.0009765625, "g", kind: .measurement),
                .number("acceleration_y", .sint8, 0.0009765625, "g", kind: .measurement),
            ])
        format.repeatsAddress = true
        return format
    }()

    // MARK: Mopeka Standard Check

    /// Returns the format of a sensor that sends twelve echoes, each with a time of 20 µs since the one before and a
    /// strength.
    ///
    /// The level is calculated from the first echo, for propane.
    private static func standardCheck(_ start: BytePattern) -> AdvertisementFormat {
        let groups = (0..<3).map { group in
            Field.bits(
                .uint40,
                (0..<4).flatMap { index in
                    let number = 4 * group + index + 1
                    return [
                        BitField.hidden("time_\(number)", 10 * index...10 * index + 4),
                        .hidden("echo_\(number)", 10 * index + 5...10 * index + 9),
                    ]
                })
        }
        let sums = (1...12).map { number in
            Field.calculated(
                "sum_\(number)", (number == 1 ? "" : "sum_\(number - 1) + ") + "time_\(number) + 1"
            ).hidden
        }
        func isEcho(_ number: Int) -> String {
            "echo_\(number) > 0 && echo_\(number) < 31 && sum_\(number) < 255"
        }
        let count = (1...12).map { "if(\(isEcho($0)), 1, 0)" }.joined(separator: " + ")
        let first = (1...12).reversed().reduce("0") { "if(\(isEcho($1)), sum_\($1), \($0))" }
        return AdvertisementFormat(
            "mopeka_standard_check",
            AdvertisementMatch(.company(0x000D), startingWith: start, lengths: 23...23, services: [0xADA0]),
            [
                .reserved(2), .number("battery_voltage", .uint8, 0.0078125, "V", offset: 1.5, kind: .voltage),
                .bits(.uint8, .hidden("warmth", 0...5)),
                .calculatedTemperature("if(warmth, round((warmth - 25) * 1.776964, 1), -40)"),
                .calculated(
                    "battery", "round(min(max((battery_voltage - 2.2) / 0.65 * 100, 0), 100), 1)", "%", kind: .battery),
            ] + groups + sums + [
                .calculated("count", count).hidden, .calculated("first", first).hidden,
                .calculated(
                    "tank_level",
                    """
                    if(count >= 2, floor(first * (1040.71 - 4.87 * temperature - 0.0107 * pow(temperature, 2)) / 100), null)
                    """, "mm", kind: .distance), .rest,
            ])
    }

    // MARK: Garnet SeeLevel 709-BT

    /// The fields of one of the sensors, which the monitor sends in turn: three digits, or the text of an error.
    private static let seeLevel: [Field] =
        [
            .number("coach_id", .uint24), .number("sensor", .uint8).hidden,
            .number("a", .uint8).hidden, .number("b", .uint8).hidden, .number("c", .uint8).hidden,
            .calculated(
                "digits",
                """
                if(b > 47 && b < 58 && c > 47 && c < 58, if(a == 45, -1, 1) \
                * (if(a > 47 && a < 58, (a - 48) * 100, if(a == 45 || a == 32, 0, null)) + (b - 48) * 10 + c - 48), null)
                """
            ).hidden,
        ]
        + sensors.map { number, name in
            switch number {
            case 7...10:
                Field.calculated(name, "digits", "°F", kind: .temperature).when("sensor", is: number)
            case 13: Field.calculated(name, "digits / 10", "V", kind: .voltage).when("sensor", is: number)
            default: Field.calculated(name, "digits", "%", kind: .measurement).when("sensor", is: number)
            }
        } + [.reserved(6), .bits(.uint8, BitField("alarm", 0...3))]

    private static let sensors = [
        "fresh_water", "black_water", "gray_water", "lpg", "lpg_2", "galley", "galley_2", "temperature",
        "temperature_2", "temperature_3", "temperature_4", "chemical", "chemical_2", "battery_voltage",
    ].enumerated().map { ($0.offset, $0.element) }
}
