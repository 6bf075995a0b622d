import Bluetooth

extension Advertisements {
    /// The formats of sensors and switches for buildings, vehicles and industry.
    ///
    /// Source: Teltonika's documentation "EYE Sensor / BTSMP1"; reelyactive/advlib-ble-services for Minew;
    /// custom-components/ble_monitor for Acconeer, Grundfos, Hörmann and Michelin; theengs/decoder for BR, Schneider and
    /// UNI-T.
    static let industrialSensors: [AdvertisementFormat] =
        [
            AdvertisementFormat(
                "teltonika_eye", AdvertisementMatch(.company(0x089A), startingWith: "01", lengths: 2...13),
                [
                    .reserved(1), .flags(.uint8, .shown("low_battery", 6)),
                    Field.temperature(.sint16, 0.01).bigEndian.ifBit(0), .humidity(.uint8).ifBit(1),
                    .truth("magnetic_field_detected", "flag_3").ifBit(2),
                    Field.bits(
                        .uint16, .shown("moving", 15), .number("movement_counter", 0...14, kind: .measurement)
                    ).bigEndian.ifBit(4),
                    .number("pitch", .sint8, 1, "°", kind: .measurement).ifBit(5),
                    Field.number("roll", .sint16, 1, "°", kind: .measurement).bigEndian.ifBit(5),
                    .number("voltage", .uint8, 0.01, "V", offset: 2, kind: .voltage).ifBit(7), .rest,
                ]),
            minew(
                "climate", 0x01, 13,
                [fixedPoint("temperature", "°C", .temperature), fixedPoint("humidity", "%", .humidity)]),
            minew(
                "acceleration", 0x03, 15, ["x", "y", "z"].map { fixedPoint("acceleration_\($0)", "g", .measurement) }),
            minew("light", 0x05, 11, [Field.illuminance(.uint16).bigEndian]),
            minew("motion", 0x11, 11, [Field.bits(.uint16, .shown("motion", 0)).bigEndian]),
            minew("temperature", 0x13, 11, [fixedPoint("temperature", "°C", .temperature)]),
            minew("vibration", 0x18, 14, [.reserved(4), .bits(.uint8, .shown("vibration", 0))]),
            minew("water", 0x21, 10, [.bits(.uint8, .shown("leak", 0))]),
            AdvertisementFormat(
                "acconeer_presence", AdvertisementMatch(.company(0xACC0), startingWith: "80", lengths: 15...15),
                presenceSensor),
            AdvertisementFormat(
                "acconeer_presence", AdvertisementMatch(.company(0xACC0), startingWith: "91", lengths: 15...15),
                presenceSensor),
            AdvertisementFormat(
                "acconeer_distance", AdvertisementMatch(.company(0xACC0), startingWith: "90", lengths: 15...15),
                radar + [.number("distance", .uint16, 1, "mm", kind: .distance), .bytes("rest", length: 8).hidden]),
            AdvertisementFormat(
                "grundfos_mi401", AdvertisementMatch(.company(0xF214), startingWith: "3001", lengths: 19...19),
                [
                    .reserved(2), .number("packet_id", .uint8), .number("battery_status", .uint8),
                    .number("pump_id", .uint16), .number("raw_flow", .uint16).hidden,
                    .number("raw_pressure", .sint16).hidden, .reserved(1),
                    .names(
                        "pump_mode",
                        .open(
                            """
                            constant_speed_3 constant_speed_2 constant_speed_1 autoadapt proportional_pressure_1 \
                            proportional_pressure_2 proportional_pressure_3 constant_pressure_1 constant_pressure_2
                            """)), .temperature(.uint8),
                    .calculated("flow", "round(raw_flow / 6.5534, 1)", "L/h", kind: .volumeFlow),
                    .calculated("pressure", "round(raw_pressure / 32767, 3)", "bar", kind: .pressure), .rest,
                ]),
            AdvertisementFormat(
                "hormann_supramatic", AdvertisementMatch(.company(0x07B4), lengths: 17...17),
                [
                    .reserved(1), .number("position", .uint8, 0.5, "%", in: 0...100, kind: .measurement),
                    .truth("opening", "position"), .rest,
                ]),
            michelin("03"), michelin("04"),
            // The status and the voltage are in the place of the company identifier.
            AdvertisementFormat(
                "br_tpms", AdvertisementMatch(.anyCompany, lengths: 7...7, names: ["BR"], services: [0x27A5]),
                [
                    .reserved(1), .number("voltage", .uint8, 0.1, "V", kind: .voltage), .temperature(.sint8),
                    // The sensor sends the absolute pressure.
                    Field.number("pressure", .uint16, 0.1, "psi", offset: -14.5, kind: .pressure).bigEndian,
                    .reserved(2),
                ]),
            AdvertisementFormat(
                "schneider_odace", AdvertisementMatch(.company(0x02B6), startingWith: "8E44", lengths: 10...10),
                [
                    .reserved(9),
                    .names("action", .open("off on toggle dim_up dim_down up down stop scene_1 scene_2 scene_3")),
                ]),
            AdvertisementFormat(
                "unit_ut363bt",
                AdvertisementMatch(
                    .company(0xBBAA), startingWith: "10 ?? ?? ?? ?? ?? 2E ?? ?? 4D2F53", lengths: 17...17),
                [
                    .reserved(3), .number("tens", .uint8).hidden, .number("units", .uint8).hidden,
                    .number("ones", .uint8, offset: -48, in: 0...9).hidden, .reserved(1),
                    .number("tenths", .uint8, offset: -48, in: 0...9).hidden,
                    .number("hundredths", .uint8, offset: -48, in: 0...9).hidden,
                    // The text is filled with spaces on its left.
                    .calculated(
                        "speed",
                        """
                        if(tens == 32, 0, tens - 48) * 100 + if(units == 32, 0, units - 48) * 10 + ones \
                        + tenths / 10 + hundredths / 100
                        """, "m/s", kind: .windSpeed), .rest,
                ]),
        ]

    /// Returns the format of a frame of Minew's beacons.
    private static func minew(_ name: String, _ frame: UInt8, _ length: Int, _ values: [Field]) -> AdvertisementFormat {
        AdvertisementFormat(
            "minew_\(name)",
            AdvertisementMatch(.service(0xFFE1), startingWith: "A1 \([frame].hexadecimal)", lengths: length...length),
            [.reserved(2), .battery()] + values + [.rest])
    }

    private static func fixedPoint(_ name: String, _ unit: String, _ kind: Quantity.Kind) -> Field {
        Field.number(name, .sint16, 0.00390625, unit, kind: kind).bigEndian
    }

    private static let radar: [Field] = [.reserved(1), .battery(.uint16), .temperature(.sint16)]
    private static let presenceSensor: [Field] =
        radar + [
            .number("level", .uint16).hidden, .truth("motion", "level"), .bytes("rest", length: 8).hidden,
        ]

    private static func michelin(_ frame: String) -> AdvertisementFormat {
        AdvertisementFormat(
            "michelin_tms", AdvertisementMatch(.company(0x0828), startingWith: "01\(frame)", lengths: 14...14),
            [
                .reserved(2), .temperature(.uint8, 1, offset: -60),
                .number("voltage", .uint8, 0.01, "V", offset: 1, kind: .voltage),
                .number("pressure", .uint16, 1, "mbar", kind: .pressure), .text("tyre", length: 3),
                .number("steps", .uint8), .number("count", .uint32),
            ])
    }
}
