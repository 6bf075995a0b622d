import Bluetooth

extension Advertisements {
    /// The formats of Mopeka's tank sensors.
    ///
    /// The level is calculated from the time of an echo, the medium and its temperature.
    ///
    /// Source: Bluetooth-Devices/mopeka-iot-ble.
    static let mopeka: [AdvertisementFormat] =
        [
            // The models differ in the medium: propane, water, and air for a sensor at the top of the tank.
            (0x03, propane), (0x06, propane), (0x08, propane), (0x09, propane), (0x0C, propane),
            (0x05, "0.600592 + 0.003124 * warmth - 0.00001368 * warmth * warmth"),
            (0x04, air), (0x0A, air), (0x0B, air),
        ].map(sensor).flatMap(\.recognizedByAddress)

    private static let propane = "0.573045 - 0.002822 * warmth - 0.00000535 * warmth * warmth"
    private static let air = "0.153096 + 0.000327 * warmth - 0.000000294 * warmth * warmth"

    private static func sensor(_ model: UInt8, _ millimetres: String) -> AdvertisementFormat {
        let match = AdvertisementMatch(
            .company(0x0059), startingWith: BytePattern(model), lengths: 10...10, services: [0xFEE5])
        return AdvertisementFormat("mopeka", match, fields(millimetres))
    }

    private static func fields(_ millimetres: String) -> [Field] {
        [
            .reserved(1), .bits(.uint8, .number("battery_voltage", 0...6, 0.03125, "V", kind: .voltage)),
            .bits(.uint8, .hidden("warmth", 0...6), .shown("button_pressed", 7)),
            .bits(
                .uint16, .hidden("echo", 0...13), BitField("reading_quality_raw", 14...15)),
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
