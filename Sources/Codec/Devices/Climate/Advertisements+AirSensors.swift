import Bluetooth

extension Advertisements {
    /// The formats of Air Mentor, Almendo and iNode's Care Sensors.
    ///
    /// Source: custom-components/ble_monitor.
    static let airSensors: [AdvertisementFormat] =
        [
            AdvertisementFormat(
                "airmentor_climate", AdvertisementMatch(.company(0x2122), lengths: 8...8),
                [
                    Field.number("tvoc", .uint16, 1, "ppb", kind: .volatileCompoundParts).bigEndian,
                    Field.number("raw_temperature", .uint16).bigEndian.hidden,
                    .number("correction", .uint8).hidden, .number("relative", .uint8).hidden,
                    Field.number("aqi", .uint16, kind: .measurement).bigEndian,
                    .calculated("measured", "(raw_temperature - 4000) / 100").hidden,
                    .calculatedTemperature("measured - correction / 10"),
                    // The humidity at the sensor, converted to the corrected temperature by the Magnus formula.
                    .calculatedHumidity(
                        """
                        round(relative * pow(2.718281828459045, measured * 17.62 / (measured + 243.12) \
                        - temperature * 17.62 / (temperature + 243.12)), 2)
                        """),
                ]),
            AdvertisementFormat(
                "airmentor_pro_2", AdvertisementMatch(.company(0x2121), lengths: 8...8), mentor + [.reserved(2)]),
            AdvertisementFormat(
                "airmentor_2s", AdvertisementMatch(.company(0x6121), lengths: 12...12),
                mentor + [
                    .reserved(2), Field.number("formaldehyde", .uint16, 1, "ppb", kind: .measurement).bigEndian,
                    .reserved(2),
                ]),
            AdvertisementFormat(
                "almendo_blusensor", AdvertisementMatch(.company(0x06E8), startingWith: "01 ?? 0A", lengths: 16...16),
                [
                    .reserved(7), .temperature(.sint16, 0.01), .humidity(.uint16, 0.01), .carbonDioxide(),
                    .number("tvoc", .uint16, 1, "ppb", kind: .volatileCompoundParts),
                    .number("aqi", .uint8, kind: .measurement),
                ]),
            inode("care_sensor_1", 0x91, position: true, [small]),
            inode("care_sensor_2", 0x92, position: true, [sixteenths]),
            inode("care_sensor_3", 0x93, position: true, [fine, relativeHumidity]),
            inode("care_sensor_4", 0x94, position: true, [small]),
            inode("care_sensor_5", 0x95, position: true, [small]),
            inode("care_sensor_6", 0x96, position: true, [small]),
            inode("care_sensor_t", 0x9A, [sixteenths]),
            inode("care_sensor_ht", 0x9B, [fine, relativeHumidity]),
            inode("care_sensor_pt", 0x9C, [airPressure, warm]),
            inode("care_sensor_pht", 0x9D, [airPressure, fine, relativeHumidity]),
        ]

    private static let mentor: [Field] = [
        Field.carbonDioxide().bigEndian, Field.particles("pm25", .uint16, kind: .pm25).bigEndian,
        Field.particles("pm10", .uint16, kind: .pm10).bigEndian,
    ]

    // MARK: iNode

    /// Returns the format of a Care Sensor; its number is the second byte of the company identifier.
    private static func inode(
        _ name: String, _ model: UInt8, position: Bool = false, _ values: [Field]
    ) -> AdvertisementFormat {
        AdvertisementFormat(
            "inode_\(name)",
            AdvertisementMatch(.anyCompany, startingWith: "9? \([model].hexadecimal)", lengths: 24...24),
            [.reserved(2), .bits(.uint16, .hidden("charge", 12...15)), .reserved(2)]
                + (position ? movement : [.number("raw_pressure", .uint16).hidden])
                + [.number("raw_temperature", .uint16).hidden, .number("raw_humidity", .uint16).hidden] + values + [
                    .calculated(
                        "battery", "if(charge == 1, 100, min(max((charge - 1) * 10, 0), 100))", "%", kind: .battery),
                    .bytes("rest", length: 12).hidden,
                ])
    }

    private static let movement = [
        Field.bits(
            .uint16, BitField("acceleration_z", 0...4).signed, BitField("acceleration_y", 5...9).signed,
            BitField("acceleration_x", 10...14).signed, .shown("motion", 15))
    ]
    private static let small = Field.calculatedTemperature(
        "if(raw_temperature > 127, raw_temperature - 8192, raw_temperature)")
    private static let sixteenths = Field.calculatedTemperature(
        "(raw_temperature & 0xFFF) / 16 - if(raw_temperature & 0x1000, 256, 0)")
    private static let fine = Field.calculatedTemperature("round(175.72 * raw_temperature * 4 / 65536 - 46.85, 2)")
    private static let warm = Field.calculatedTemperature("round(42.5 + raw_temperature / 480, 2)")
    private static let relativeHumidity = Field.calculatedHumidity(
        "round(min(max(125 * raw_humidity * 4 / 65536 - 6, 1), 100), 2)")
    private static let airPressure = Field.calculated("pressure", "raw_pressure / 16", "hPa", kind: .airPressure)
}
