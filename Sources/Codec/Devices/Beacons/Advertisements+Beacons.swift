import Bluetooth

extension Advertisements {
    /// The formats of iBeacon, AltBeacon and Eddystone, and of devices that send measurements in an iBeacon.
    ///
    /// Source: the specifications of iBeacon (Apple), AltBeacon (Radius Networks) and Eddystone (Google);
    /// theengs/decoder for Tilt, BM2 and BM6.
    static let beacons: [AdvertisementFormat] = [
        AdvertisementFormat(
            "tilt",
            AdvertisementMatch(
                .company(0x004C), startingWith: "0215 A495BB??C5B14B44B5121370F02D74DE", lengths: 23...23),
            [
                .reserved(5),
                .names(
                    "color",
                    NamedValues([
                        0x10: "red", 0x20: "green", 0x30: "black", 0x40: "purple", 0x50: "orange", 0x60: "blue",
                        0x70: "yellow", 0x80: "pink",
                    ])),
                .reserved(12), Field.number("degrees", .uint16).bigEndian.hidden,
                Field.number("density", .uint16).bigEndian.hidden, .txPower(),
                // Between measurements, the hydrometer sends its firmware version.
                .calculated("is_version", "degrees == 999 && density < 5000").hidden,
                .calculated("firmware_version", "density").when("is_version"),
                // The Tilt Pro sends temperature and gravity with one more digit.
                .calculated(
                    "temperature", "if(density >= 5000, degrees / 10, degrees)", "°F", kind: .temperature
                ).unless("is_version"),
                .calculated(
                    "specific_gravity", "if(density >= 5000, density / 10000, density / 1000)", kind: .measurement
                ).unless("is_version"),
            ]),
        // BM2 and BM6, which monitor car batteries, send the charge in an iBeacon.
        AdvertisementFormat(
            "bm2",
            AdvertisementMatch(
                .company(0x004C), startingWith: "0215 655F83CAAE16A10A702E31F30D58DD82", lengths: 23...23),
            [.reserved(22), .battery(), .word("device", "BM2 Tracker")]),
        AdvertisementFormat(
            "bm6",
            AdvertisementMatch(
                .company(0x004C), startingWith: "0215 3BA29CD9A42C894856BADAF2606EF777", lengths: 23...23),
            [.reserved(19), .battery(), .reserved(3), .word("device", "BM6 Tracker")]),
        AdvertisementFormat(
            "ibeacon", AdvertisementMatch(.company(0x004C), startingWith: "0215", lengths: 23...23),
            [
                constant(0x0215), .beaconIdentifier, Field.number("major", .uint16).bigEndian,
                Field.number("minor", .uint16).bigEndian, .txPower(),
            ]),
        AdvertisementFormat(
            "altbeacon", AdvertisementMatch(.anyCompany, startingWith: "???? BEAC", lengths: 26...26),
            [
                .number("company", .uint16), constant(0xBEAC), .bytes("id", length: 20), .txPower(),
                .number("manufacturer_data", .uint8),
            ]),
        AdvertisementFormat(
            "eddystone_uid", AdvertisementMatch(.service(0xFEAA), startingWith: "00", lengths: 18...20),
            [frame, .txPower(), .bytes("namespace", length: 10), .bytes("instance", length: 6), .reserved(2).optional]),
        AdvertisementFormat(
            "eddystone_url", AdvertisementMatch(.service(0xFEAA), startingWith: "10", lengths: 4...20),
            [frame, .txPower(), Field("url", .text(.compressedURL, .little, length: nil))]),
        AdvertisementFormat(
            "eddystone_tlm", AdvertisementMatch(.service(0xFEAA), startingWith: "2000", lengths: 14...14),
            [
                frame, .number("version", .uint8),
                Field.number("voltage", .uint16, 0.001, "V", unknown: [0], kind: .batteryVoltage).bigEndian,
                Field.temperature(.sint16, 0.00390625, unknown: -0x8000).bigEndian,
                Field.number("adv_count", .uint32, kind: .measurement).bigEndian,
                Field.number("uptime", .uint32, 0.1, "s", kind: .duration).bigEndian,
            ]),
        AdvertisementFormat(
            "eddystone_tlm_encrypted", AdvertisementMatch(.service(0xFEAA), startingWith: "2001", lengths: 18...18),
            [
                frame, .number("version", .uint8), .truth("encrypted", "version == 1"), .bytes("data", length: 12),
                Field.number("salt", .uint16).bigEndian, Field.number("integrity_check", .uint16).bigEndian,
            ]),
        AdvertisementFormat(
            "eddystone_eid", AdvertisementMatch(.service(0xFEAA), startingWith: "30", lengths: 10...10),
            [frame, .txPower(), .bytes("ephemeral_id", length: 8)]),
    ]

    private static let frame = Field.names("frame", NamedValues([0x00: "UID", 0x10: "URL", 0x20: "TLM", 0x30: "EID"]))

    private static func constant(_ number: Decimal) -> Field {
        Field.constant(number, .uint16).bigEndian
    }
}
