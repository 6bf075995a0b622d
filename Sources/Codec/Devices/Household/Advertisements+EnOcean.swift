import Bluetooth

extension Advertisements {
    /// The formats of EnOcean's switches and sensors without a battery.
    ///
    /// The packets are not encrypted, but signed with the key of the device: without the signature, any sender could
    /// switch.
    static let enOcean: [AdvertisementFormat] = {
        // Source: EnOcean, PTM 215B User Manual 2.2, 3.2 and appendix C.3.1.
        let switches = AdvertisementFormat(
            "enocean_ptm215b", AdvertisementMatch(.company(company), lengths: 9...9),
            [
                .reserved(4),
                .names(
                    "button",
                    NamedValues([
                        0: "release", 1: "press", 2: "a0_release", 3: "a0_press", 4: "a1_release", 5: "a1_press",
                        8: "b0_release", 9: "b0_press", 16: "b1_release", 17: "b1_press",
                    ])),
            ])
        // Source: EnOcean, STM 550B / EMSIB User Manual 1.3, 5.5 and appendix A.1; nrfconnect/sdk-nrf for the occupancy.
        // A shorter packet can be that of a switch with optional data.
        let sensors = AdvertisementFormat(
            "enocean_sensor", AdvertisementMatch(.company(company), lengths: 14...27),
            [.reserved(4), .objects(ObjectTable(.tag(.uint8), measurements))])
        return [switches, sensors].map { format in
            var format = format
            format.cipher = AdvertisementCipher(
                mode: .signature(company: company), header: .init(length: 5), trailer: 4,
                nonce: [.reversedAddress(bytes: 6), .bytes(.init(0, 4)), .constant([0, 0, 0])],
                replayCounter: [.init(0, 4)])
            return format
        }
    }()

    private static let company: UInt16 = 0x03DA

    /// The measurements by their descriptors: the kind (bits 0 to 5), and the size (bits 6 and 7).
    ///
    /// The acceleration (0x8A) and the magnet contact (0x23) are skipped: public sources contradict each other about the
    /// order of the axes, and about the number for a closed contact.
    private static let measurements: [Int: [Field]] = [
        0x40: [.temperature(.sint16, 0.01, unknown: -32768, 32767)],
        0x41: [
            .number("voltage", .sint16, 0.0005, "V", unknown: [-32768, 32767], kind: .batteryVoltage)
        ],
        0x02: [.number("energy_level", .uint8, 0.5, "%", in: 0...100, kind: .battery)],
        0x44: [
            .number("solar_cell_illuminance", .uint16, 1, "lx", unknown: [65534, 65535], kind: .illuminance)
        ],
        0x45: [.illuminance(.uint16, unknown: 65534, 65535)],
        0x06: [.number("humidity", .uint8, 0.5, "%", in: 0...100, kind: .humidity)],
        0x20: [.number("occupancy_state", .uint8).hidden, .truth("occupancy", "occupancy_state == 2")],
        0x23: [.reserved(1)],
        0x8A: [.reserved(4)],
    ]
}
