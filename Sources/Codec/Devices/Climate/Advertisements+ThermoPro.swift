import Bluetooth

extension Advertisements {
    /// The formats of ThermoPro's thermometers.
    ///
    /// The measurements begin in the place of the company identifier.
    ///
    /// Source: Bluetooth-Devices/thermopro-ble.
    static let thermoPro: [AdvertisementFormat] =
        [
            AdvertisementFormat(
                "thermopro_tp35", AdvertisementMatch(.anyCompany, lengths: 6...255, names: ["TP3", "TP59"]),
                [
                    .reserved(1), .number("tenths", .sint16).hidden, .humidity(.uint8, unknown: 0xFF),
                    .bits(.uint8, .hidden("charge", 0...1)),
                    // The raw number -1 means "not known" if the humidity is not known either; otherwise it is -0.1 °C.
                    .calculatedTemperature("if(tenths == -1, if(humidity >= 0, -0.1, null), tenths / 10)"),
                    .calculated(
                        "battery", "if(charge == 2, 100, if(charge == 1, 50, 1))", "%", kind: .battery),
                    .rest,
                ])
        ] + [1, 2].flatMap { [skewer($0), skewerWithThree($0)] }

    private static let service = UUID(0x72FB_B631_6F6B_D1BA_DB55_2EE6_FDD9_42BD as UInt128)

    private static func match(_ number: Int, lengths: ClosedRange<Int>) -> AdvertisementMatch {
        AdvertisementMatch(
            .anyCompany, startingWith: number == 1 ? "00" : "01", lengths: lengths, services: [service])
    }

    /// Returns the format of a meat probe; the address of its station can follow the measurements.
    private static func skewer(_ number: Int) -> AdvertisementFormat {
        AdvertisementFormat(
            "thermopro_tp96", match(number, lengths: 7...13),
            [
                .reserved(1), .temperature(.uint16, offset: -30, name: "internal_temperature_probe_\(number)"),
                .number("millivolts", .uint16).hidden,
                .temperature(.uint16, offset: -30, name: "ambient_temperature_probe_\(number)"),
            ] + power(number) + [.rest])
    }

    /// Returns the format of a probe with three internal sensors, which sends degrees Fahrenheit.
    private static func skewerWithThree(_ number: Int) -> AdvertisementFormat {
        let places = ["internal", "internal_center", "internal_end"]
        return AdvertisementFormat(
            "thermopro_tp97", match(number, lengths: 23...23),
            [.reserved(1), .number("ambient", .uint16).hidden, .number("millivolts", .uint16).hidden]
                + places.map { .number($0, .float32).hidden } + [.reserved(6)]
                + places.map {
                    .calculatedTemperature("round((\($0) - 86) / 1.8, 1)", name: "\($0)_temperature_probe_\(number)")
                } + [
                    // The ambient temperature has a resolution of 1 °C.
                    .calculatedTemperature("floor((ambient - 86) / 1.8)", name: "ambient_temperature_probe_\(number)")
                ] + power(number))
    }

    /// Returns the fields of the battery's voltage, and of its charge, which is calculated with a measured curve.
    private static func power(_ number: Int) -> [Field] {
        [
            .calculated("voltage_probe_\(number)", "millivolts / 1000", "V", kind: .voltage),
            .calculated("exponential", "pow(2.718281828, min(max(millivolts, 2000), 3000) / 136.812139 - 17.529709)")
                .hidden,
            .calculated(
                "battery_probe_\(number)",
                "round(min(max(52.317286 * (exponential - 1) / (exponential + 1) + 51.06925, 0), 100))", "%",
                kind: .battery),
        ]
    }
}
