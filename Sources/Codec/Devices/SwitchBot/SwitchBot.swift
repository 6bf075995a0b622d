import Bluetooth

/// What the tables of SwitchBot's devices have in common.
enum SwitchBot {
    /// A device that a letter names, whose measurements are in the company's data behind an address.
    ///
    /// The battery may be the third byte of the service data.
    static func letter(
        _ name: String, _ code: UInt8, _ fields: [Field], hasBattery: Bool = false, length: Int = 3
    ) -> AdvertisementFormat {
        format(
            name, letter(code), hasBattery ? [.reserved(2), battery] : [.reserved(length)], fields, length: length)
    }

    /// What the service data of a device begin with that a letter names: while it is being paired, that of the other
    /// case, and with the highest bit where it encrypts what it is told.
    static func letter(_ code: UInt8) -> BytePattern {
        BytePattern(code, mask: 0x5F)
    }

    /// A device that three bytes name, which are the fifth and the following of the service data.
    static func model(
        _ name: String, _ model: String, _ fields: [Field], hasBattery: Bool = false
    ) -> AdvertisementFormat {
        format(
            name, "????????\(model)", hasBattery ? [.reserved(2), battery, .reserved(4)] : [.reserved(7)], fields,
            length: 7)
    }

    private static func format(
        _ name: String, _ start: BytePattern, _ head: [Field], _ fields: [Field], length: Int
    ) -> AdvertisementFormat {
        AdvertisementFormat(
            "switchbot_\(name)",
            AdvertisementMatch(
                .serviceAndCompany(0xFD3D, length: length, 0x0969), startingWith: start, lengths: length + 7...255),
            head + [.mac] + fields + [.rest])
    }

    static let sequence = Field.number("sequence_number", .uint8)
    static let batteryLevel = BitField.number("battery", 0...6, 1, "%", homeAssistant: .battery)
    static let battery = Field.bits(.uint8, batteryLevel)
}
