import Bluetooth

extension Advertisements {
    /// The formats of household devices that send their battery and their identity.
    ///
    /// Source: the decoders of theengs/decoder; ble_monitor for HolyIOT; the maker's documentation for Shelly.
    static let appliances: [AdvertisementFormat] = [
        AdvertisementFormat(
            "oras_faucet", AdvertisementMatch(.company(0x0131), lengths: 18...18),
            [.reserved(1), battery, .reserved(1), .text("serial_number", length: 10), .bytes("rest").hidden]),
        AdvertisementFormat(
            "ecoflow", AdvertisementMatch(.company(0xB5B5), lengths: 24...24),
            [.reserved(1), .text("serial_number", length: 16), battery, .bytes("rest").hidden]),
        AdvertisementFormat(
            "feasybeacon", AdvertisementMatch(.service(0xFFF0), lengths: 11...11),
            [
                .names(
                    "model",
                    NamedValues([
                        0x15: "BP102", 0x19: "BP109", 0x1A: "BP103", 0x1B: "BP104", 0x1C: "BP201", 0x1D: "BP106",
                        0x1E: "BP101", 0x24: "BP120", 0x27: "BP108", 0x28: "BP108N", 0x29: "BP103B",
                    ])),
                .reserved(3), .mac, .number("charge", .uint8).hidden, .truth("plugged_in", "charge == 101"),
                .calculated("battery", "if(charge == 101, null, charge & 127)", "%", kind: .battery),
            ]),
        AdvertisementFormat(
            "holyiot", AdvertisementMatch(.service(0x5242), startingWith: "41", lengths: 13...13),
            [
                .reserved(1), .battery(), .mac, .word("device", "HolyIoT Beacon Tracker"), .reserved(2),
                .number("kind", .uint8).hidden, .number("value", .uint8).hidden, .number("more", .uint8).hidden,
                // The layout of temperatures below zero is not known.
                .calculatedTemperature("if(value < 128, value + more / 100, null)").when("kind", is: 1),
                .calculated("pressure", "800 + (value * 256 + more) / 10", "hPa", kind: .airPressure)
                    .when("kind", is: 2),
                .calculatedHumidity("value").when("kind", is: 3), .truth("vibration", "value").when("kind", is: 4),
                .calculated("side", "value").when("kind", is: 5),
                Field.calculated("button", "1").named(NamedValues([1: "press"])).when("kind", is: 6)
                    .when("value", is: 1),
            ]),
        // Shelly's devices send their identity in this format and their measurements as BTHome.
        AdvertisementFormat(
            "shelly", AdvertisementMatch(.company(0x0BA9), lengths: 3...255),
            [
                .objects(
                    ObjectTable(
                        .tag(.uint8),
                        [0x01: [.number("flags", .uint16)], 0x0A: [.reversedMAC], 0x0B: [.number("model", .uint16)]]))
            ]),
    ]

    private static let battery = Field.bits(.uint8, .number("battery", 0...6, 1, "%", kind: .battery))
}
