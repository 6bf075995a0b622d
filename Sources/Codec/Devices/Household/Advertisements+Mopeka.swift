import Bluetooth

extension Advertisements {
    /// The formats of Mopeka's tank sensors.
    ///
    /// The level is calculated from the time of an echo, the medium and its temperature. The packet does not contain the
    /// medium.
    ///
    /// Source: Bluetooth-Devices/mopeka-iot-ble.
    static let mopeka = tankSensors(in: nil)

    /// Returns the formats of tank sensors.
    ///
    /// - Parameter medium: The medium in the tank; nil: the medium for which the model is made.
    /// - Returns: One format for each model, and copies that recognize the sensor by its address.
    package static func tankSensors(in medium: TankMedium?) -> [AdvertisementFormat] {
        models.map { sensor($0.number, medium ?? $0.medium) }.flatMap(\.recognizedByAddress)
    }

    /// The models, with the medium for which they are made; nil: the model does not determine the medium.
    private static let models: [(number: UInt8, medium: TankMedium?)] = [
        (0x03, .propane), (0x06, .propane), (0x08, .propane), (0x09, .propane), (0x0C, .propane),
        (0x05, .water), (0x04, .air), (0x0A, .air), (0x0B, .air), (0x12, nil),
    ]

    private static func sensor(_ model: UInt8, _ medium: TankMedium?) -> AdvertisementFormat {
        let match = AdvertisementMatch(
            .company(0x0059), startingWith: BytePattern(model, mask: 0x7F), lengths: 10...10, services: [0xFEE5])
        return AdvertisementFormat("mopeka", match, fields(medium?.millimetres ?? "null"))
    }

    private static func fields(_ millimetres: String) -> [Field] {
        [
            .bits(.uint8, .hidden("is_deep", 7)),
            .bits(.uint8, .number("battery_voltage", 0...6, 0.03125, "V", kind: .batteryVoltage)),
            .bits(.uint8, .hidden("warmth", 0...6), .shown("button_pressed", 7)),
            .bits(
                .uint16, .hidden("raw_echo", 0...13), BitField("reading_quality_raw", 14...15)),
            // In deep tanks, the time of the echo in microseconds does not fit into 14 bits.
            .calculated("echo", "if(is_deep, 16384 + 4 * raw_echo, raw_echo)").hidden,
            .calculatedTemperature("warmth - 40"),
            .calculated(
                "battery", "round(min(max((battery_voltage - 2.2) / 0.65 * 100, 0), 100), 1)", "%",
                kind: .battery),
            .calculated(
                "tank_level", "if(reading_quality_raw > 0, floor(echo * (\(millimetres))), null)", "mm",
                kind: .distance),
            .calculated("reading_quality", "round(reading_quality_raw / 3 * 100)", "%", kind: .measurement),
            .bytes("mac_end", length: 3), .number("accelerometer_x", .uint8), .number("accelerometer_y", .uint8),
        ]
    }
}
