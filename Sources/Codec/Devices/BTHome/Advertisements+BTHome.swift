import Bluetooth

extension Advertisements {
    /// The formats of BTHome: version 2, and version 1 without and with encryption.
    ///
    /// Source: bthome.io/format; Bluetooth-Devices/bthome-ble 3.25.0.
    static let bthome: [AdvertisementFormat] = {
        var two = AdvertisementFormat(
            "bthome", AdvertisementMatch(.service(0xFCD2)),
            [
                .bits(
                    .uint8, .hidden("encrypted", 0), .hidden("has_mac", 1), .hidden("trigger_based", 2),
                    .constant("version", 5...7, 2)),
                Field.reversedMAC.hidden.when("has_mac"), objects(.tag(.uint8)),
            ])
        two.cipher = AdvertisementCipher(
            flag: .init(byte: 0, mask: 0x01), mode: .ccm(additionalData: []),
            header: .init(length: 1, options: [.init(bit: 1, length: 6)]), trailer: 8,
            nonce: [.address, .constant([0xD2, 0xFC]), .bytes(.init(0, 1)), .bytes(.init(-8, -4))],
            replayCounter: [.init(-8, -4)])
        two.requiresEncryption = true
        two.packetNumber = "packet_id"

        var one = AdvertisementFormat("bthome_1", AdvertisementMatch(.service(0x181C)), [objects(.lengthAndKind)])
        one.requiresEncryption = true
        one.packetNumber = "packet_id"

        var encryptedOne = AdvertisementFormat(
            "bthome_1_encrypted", AdvertisementMatch(.service(0x181E)),
            [objects(.lengthAndKind)])
        encryptedOne.cipher = AdvertisementCipher(
            mode: .ccm(additionalData: [0x11]), header: .init(length: 0), trailer: 8,
            nonce: [.address, .constant([0x1E, 0x18]), .bytes(.init(-8, -4))], replayCounter: [.init(-8, -4)])
        encryptedOne.packetNumber = "packet_id"
        return [two, one, encryptedOne]
    }()

    private static func objects(_ framing: ObjectTable.Framing) -> Field {
        .objects(ObjectTable(framing, bthomeObjects))
    }
}
