import Bluetooth

extension Advertisements {
    /// The formats of Xiaomi's MiBeacon.
    ///
    /// Encrypted packets of the versions 4 and 5 have a tag; those of the versions 2 and 3 have no tag.
    ///
    /// Source: Bluetooth-Devices/xiaomi-ble; theengs/decoder.
    static let xiaomi: [AdvertisementFormat] =
        ["??2?", "??3?"].map { mibeacon($0, oldCipher) } + ["??4?", "??5?"].map { mibeacon($0, cipher) }

    private static func mibeacon(_ start: BytePattern, _ cipher: AdvertisementCipher) -> AdvertisementFormat {
        var format = AdvertisementFormat(
            "mibeacon", AdvertisementMatch(.service(0xFE95), startingWith: start, lengths: 5...255),
            header + [.objects(ObjectTable(.tagAndLength(.uint16, .uint8), xiaomiObjects))])
        format.cipher = cipher
        format.hasPacketNumbers = true
        format.productPosition = 2
        return format.refusing(
            .init(byte: 0, mask: 0x80),
            because:
                "a mesh device of Xiaomi: this packet only announces it, and its values go through the Bluetooth mesh: read "
                + "them from a Xiaomi gateway")
    }

    private static let header = [
        Field.bits(
            .uint16, .hidden("encrypted", 3), .hidden("has_mac", 4), .hidden("has_capability", 5),
            .hidden("has_object", 6), .hidden("version", 12...15)),
        .number("product_id", .uint16).hidden, .number("frame_counter", .uint8).hidden,
        .reversedMAC.when("has_mac"),
        Field.bits(.uint8, .hidden("has_io_capability", 5)).when("has_capability"),
        .number("io_capability", .uint16).hidden.when("has_io_capability"),
    ]

    private static let lengths = AdvertisementCipher.Header(
        length: 5, options: [.init(bit: 4, length: 6), .init(bit: 5, length: 1, bitForTwoMore: 5)])

    private static let cipher = AdvertisementCipher(
        flag: .init(byte: 0, mask: 0x08), mode: .ccm(additionalData: [0x11]), header: lengths, trailer: 7,
        nonce: [.reversedAddress(bytes: 6), .bytes(.init(2, 5)), .bytes(.init(-7, -4))],
        replayCounter: [.init(4, 5), .init(-7, -4)])

    private static let oldCipher: AdvertisementCipher = {
        var cipher = AdvertisementCipher(
            flag: .init(byte: 0, mask: 0x08), mode: .ccmWithoutTag, header: lengths, trailer: 4,
            nonce: [.bytes(.init(0, 5)), .bytes(.init(-4, -1)), .reversedAddress(bytes: 5)])
        cipher.keyFiller = [0x8D, 0x3D, 0x3C, 0x97]
        return cipher
    }()
}
