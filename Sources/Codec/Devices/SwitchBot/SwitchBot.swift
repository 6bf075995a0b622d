import Bluetooth

/// What the tables of SwitchBot's devices have in common.
enum SwitchBot {
    /// A device that a letter names, whose measurements are in the company's data behind an address.
    ///
    /// While it is being paired, the letter is one of the other case. The battery may be the third byte of the service
    /// data.
    static func letter(
        _ name: String, _ letter: String, _ fields: [Field], hasBattery: Bool = false, length: Int = 3
    ) -> [AdvertisementFormat] {
        guard let code = UInt8(letter, radix: 16) else { preconditionFailure("\(letter) is no letter") }
        return [code, code ^ 0x20].map { code in
            format(
                name, [code].hexadecimal, hasBattery ? [.reserved(2), battery] : [.reserved(length)], fields,
                length: length)
        }
    }

    /// A device that three bytes name, which are the fifth and the following of the service data.
    static func model(
        _ name: String, _ model: String, _ fields: [Field], hasBattery: Bool = false
    ) -> [AdvertisementFormat] {
        [
            format(
                name, "????????" + model, hasBattery ? [.reserved(2), battery, .reserved(4)] : [.reserved(7)], fields,
                length: 7)
        ]
    }

    private static func format(
        _ name: String, _ start: String, _ head: [Field], _ fields: [Field], length: Int
    ) -> AdvertisementFormat {
        guard let start = BytePattern(start) else { preconditionFailure("\(start) are no bytes") }
        return AdvertisementFormat(
            "switchbot_\(name)",
            AdvertisementMatch(
                .serviceAndCompany(0xFD3D, length: length, 0x0969), startingWith: start, lengths: length + 7...255),
            head + [.mac] + fields + [rest])
    }

    static let rest = Field.bytes("rest").hidden.optional
    static let sequence = Field.number("sequence_number", .uint8)
    static let batteryLevel = BitField.number("battery", 0...6, 1, "%", homeAssistant: .battery)
    static let battery = Field.bits(.uint8, batteryLevel)
}
