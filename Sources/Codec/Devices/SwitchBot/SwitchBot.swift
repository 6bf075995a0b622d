import Bluetooth

/// The fields and formats that several of SwitchBot's devices have in common.
///
/// Source: OpenWonderLabs/SwitchBotAPI-BLE; sblibs/pySwitchbot.
enum SwitchBot {
    /// Returns the format of a device that a letter identifies.
    ///
    /// The values of the device are in the manufacturer data, after the address. With `hasBattery`, the third byte of
    /// the service data is the battery.
    static func letter(
        _ name: String, _ code: UInt8, _ fields: [Field], hasBattery: Bool = false, length: Int = 3
    ) -> AdvertisementFormat {
        format(
            name, letter(code), hasBattery ? [.reserved(2), battery] : [.reserved(length)], fields, length: length)
    }

    /// Returns the format of a meter that a letter identifies; `climate` are the fields of its measurements.
    static func meter(_ name: String, _ code: UInt8, _ climate: [Field]) -> AdvertisementFormat {
        format(name, letter(code), [.reserved(2), charge], [.reserved(2)] + climate + [meterBattery], length: 3)
    }

    /// Returns the pattern of the first byte of the service data, for a device that a letter identifies.
    ///
    /// The letter has the other case while the device is being paired, and the highest bit is set if the device
    /// encrypts commands.
    static func letter(_ code: UInt8) -> BytePattern {
        BytePattern(code, mask: 0x5F)
    }

    /// Returns the format of a device that three bytes identify: the fifth to the seventh byte of the service data.
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
    static let batteryLevel = BitField.number("battery", 0...6, 1, "%", kind: .battery)
    static let battery = Field.bits(.uint8, batteryLevel)
    /// The charge of a meter, which is not known before the first measurement.
    static let charge = Field.bits(.uint8, .hidden("charge", 0...6))
    /// The charge of a meter; follows the fields of its measurements.
    static let meterBattery = Field.calculated(
        "battery", "if(degrees || tenths || percent, charge, null)", "%", kind: .battery)
}
