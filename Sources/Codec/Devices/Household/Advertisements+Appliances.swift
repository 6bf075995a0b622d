import Bluetooth

extension Advertisements {
    /// The formats of household devices that send their battery and their identity.
    ///
    /// Source: the decoders of theengs/decoder; custom-components/ble_monitor for HolyIOT and Beckett; the maker's
    /// documentation for Shelly.
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
        burner,
    ]

    /// The control of a burner of Beckett; only the Genisys 7505 advertises its state.
    private static let burner: AdvertisementFormat = {
        var format = AdvertisementFormat(
            "beckett", AdvertisementMatch(.company(0x061A), lengths: 24...24),
            [
                .reserved(2),
                Field.bits(
                    .uint16,
                    .names("product", 0...14, .open(from: 1, "genisys_75xx 7653 genisys_7505 7652 genisys_gas")),
                    .shown("bootloader", 15)
                ).bigEndian,
                Field.names(
                    "device", NamedValues([0: "7505_7575", 64: "7556", 96: "7559", 128: "7580"]), .uint16
                ).bigEndian,
                Field.number("raw_state", .uint16).bigEndian.hidden, Field.number("end", .uint16).bigEndian.hidden,
                Field.number("cycles", .uint16).bigEndian.hidden, .reserved(6),
                Field.number("serial", .uint32).bigEndian.hidden, .reserved(1), .number("version", .uint8).hidden,
                Field.calculated("state", "raw_state")
                    .named(
                        .open(
                            from: 1,
                            """
                            standby motor_relay_test prepurge trial_for_ignition carry_over run postpurge recycle \
                            lockout pump_prime motor_relay_feedback_test prepurge_without_ignition
                            """)
                    ).when("product", is: 3),
                Field.calculated(
                    "last_end",
                    """
                    if((end & 7) == 3, if((end >> 3 & 3) == 1, 2, 7 + (end >> 3 & 3)), if((end & 7) == 7, 0, end & 7))
                    """
                ).named(
                    .open(
                        """
                        none call_for_heat_ended flame_loss - pump_prime manual_shutdown low_voltage no_ignition - \
                        flame_at_end_of_trial relay_failure
                        """)
                ).when("product", is: 3),
                Field.calculated("cycle_count", "cycles").when("product", is: 3),
                .calculated("serial_number", "if(version == 1, serial, null)"),
            ])
        format.cipher = AdvertisementCipher(mode: .chain, header: .init(length: 2), trailer: 0, nonce: [])
        return format
    }()

    private static let battery = Field.bits(.uint8, .number("battery", 0...6, 1, "%", kind: .battery))
}
