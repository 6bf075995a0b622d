import Bluetooth

extension Advertisements {
    /// The formats of SensorPush: one number contains all measurements.
    ///
    /// The data begins in the place of the company identifier.
    ///
    /// Source: Bluetooth-Devices/sensorpush-ble.
    static let sensorPush: [AdvertisementFormat] = [
        AdvertisementFormat(
            "sensorpush_ht1",
            AdvertisementMatch(.anyCompany, lengths: 4...4, services: [UUID(base | 0xA9)]),
            [
                .bits(.uint32, .hidden("raw_humidity", 0...11), .hidden("raw_temperature", 12...25)),
                .calculatedTemperature("round(raw_temperature * 4 * 175.72 / 65536 - 46.85, 2)"),
                // The maker's formula keeps the humidity within 0 to 100 %.
                .calculatedHumidity("min(max(round(raw_humidity * 16 * 125 / 65536 - 6, 2), 0), 100)"),
            ]),
        mixed(
            "htp", type: "00", .uint48,
            [
                .calculatedTemperature("mixed % 72001 * 0.0025 - 40"),
                .calculatedHumidity("floor(mixed / 72001) % 40001 * 0.0025"),
                .calculated(
                    "pressure", "floor(mixed / (72001 * 40001)) % 95001 / 100 + 300", "hPa",
                    kind: .airPressure),
            ]),
        mixed(
            "ht_w", type: "04", .uint32,
            [
                .calculatedTemperature("mixed % 66001 * 0.0025 - 40"),
                .calculatedHumidity("floor(mixed / 66001) % 40001 * 0.0025"),
            ]),
        mixed("tc_x", type: "08", .uint24, [.calculatedTemperature("mixed % 32001 * 0.0625 - 200")]),
        mixed("tc_x", type: "08", .uint32, [.calculatedTemperature("mixed % 32001 * 0.0625 - 200")]),
    ]

    private static let base: UInt128 = 0xEF09_0000_11D6_42BA_93B8_9DD7_EC09_0A00

    private static func mixed(
        _ name: String, type: BytePattern, _ number: NumberType, _ fields: [Field]
    ) -> AdvertisementFormat {
        let length = 1 + number.size
        return AdvertisementFormat(
            "sensorpush_\(name)",
            AdvertisementMatch(
                .anyCompany, startingWith: type, lengths: length...length, services: [UUID(base | 0xB0)]),
            [.reserved(1), .number("mixed", number).hidden] + fields)
    }
}
