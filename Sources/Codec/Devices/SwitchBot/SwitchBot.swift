import Bluetooth

/// The fields and formats that several of SwitchBot's devices have in common.
///
/// Source: OpenWonderLabs/SwitchBotAPI-BLE; sblibs/pySwitchbot.
enum SwitchBot {
    /// Returns the format of a device that a letter identifies.
    ///
    /// The values of the device are in the manufacturer data, after the address. With `hasBattery`, the third byte of
    /// the service data is the battery; otherwise, the service data can have only two bytes.
    static func letter(
        _ name: String, _ code: UInt8, _ fields: [Field], hasBattery: Bool = false
    ) -> AdvertisementFormat {
        hasBattery
            ? format(name, letter(code), [.reserved(2), battery], fields, length: 3)
            : format(name, letter(code), [.reserved(2)], fields, length: 2)
    }

    /// Returns the formats of a device that sends its state twice: in the service data of the scan response, and in the
    /// manufacturer data, which is newer.
    ///
    /// `head` are the fields of the first `length` bytes of the service data, `fields` those of the manufacturer data after
    /// the address, of which `least` bytes are needed.
    static func twice(
        _ name: String, _ code: UInt8, _ head: [Field], length: Int, _ fields: [Field], least: Int
    ) -> [AdvertisementFormat] {
        services.map { service in
            AdvertisementFormat(
                "switchbot_\(name)",
                AdvertisementMatch(
                    .serviceAndCompany(service, length: length, 0x0969), startingWith: letter(code),
                    lengths: length + least...255),
                head + [.mac] + fields + [.rest])
        }
    }

    /// The services whose data identify the model; older devices use the second one.
    static let services: [UUID] = [0xFD3D, 0x0D00]

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
