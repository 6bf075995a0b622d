import Bluetooth

extension Advertisements {
    /// The formats of Qingping's (ClearGrass's) sensors: objects with a tag and a length.
    ///
    /// Source: Bluetooth-Devices/qingping-ble.
    ///
    /// Early sensors of ClearGrass use the service FFF9.
    static let qingping: [AdvertisementFormat] = [0xFDCD as UUID, 0xFFF9].map { service in
        AdvertisementFormat(
            "qingping", AdvertisementMatch(.service(service), lengths: 8...255),
            [
                .bits(.uint8, .hidden("is_event", 6)), .number("product_id", .uint8).hidden, .reversedMAC,
                .objects(ObjectTable(.tagAndLength(.uint8, .uint8), objects)),
            ])
    }

    private static let objects: [Int: [Field]] = [
        0x01: [.temperature(.sint16, 0.1), .humidity(.uint16, 0.1)],
        // Bit 7 is a flag. The device sends 0xFF while it has external power; above 100, the charge is not known.
        0x02: [.bits(.uint8, .number("battery", 0...6, 1, "%", kind: .battery))],
        0x04: [.names("door_state", .open("open closed left_open")), .truth("opening", "door_state != 1")],
        0x07: [.pressure(.uint16, 0.1)],
        // In an event, the three bytes after the motion are no illuminance.
        0x08: [
            Field.value("motion", .boolean), .illuminance(.uint24).unless("is_event"),
            .reserved(3).when("is_event"),
        ],
        0x09: [.illuminance(.uint32)],
        0x0F: [.number("packet_id", .uint8)],
        0x11: [Field.value("light", .boolean)],
        0x12: [.particles("pm25", .uint16, kind: .pm25), .particles("pm10", .uint16, kind: .pm10)],
        0x13: [.carbonDioxide()],
        0x15: [.number("voc_index", .uint16, kind: .measurement)],
        0x19: [.number("noise", .uint8, 1, "dB", kind: .measurement)],
    ]
}
