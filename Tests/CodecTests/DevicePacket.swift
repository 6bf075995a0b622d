import Bluetooth
import Codec
import TestSupport

/// A packet of a device that the shared vectors lack, constructed from its layout.
struct DevicePacket: CustomStringConvertible {
    let description: String
    let name: String?
    let company: UInt16?
    let service: UUID?
    /// The services that the device offers without data of their own.
    let offers: [UUID]
    let key: AdvertisementKey?
    let hex: String
    /// The service data, if the packet has manufacturer data too.
    let serviceHex: String?
    let expected: Value

    init(
        _ description: String, name: String? = nil, company: UInt16? = nil, service: UUID? = nil, offers: [UUID] = [],
        key: String? = nil, _ hex: String, serviceHex: String? = nil, _ expected: Value
    ) {
        self.description = description
        self.name = name
        self.company = company
        self.service = service
        self.offers = offers
        self.key = key.flatMap { AdvertisementKey($0) }
        self.hex = hex
        self.serviceHex = serviceHex
        self.expected = expected
    }

    /// The key with which these packets are encrypted.
    static let sampleKey = "0df4d0395b7d1a876c0c33ecb9e70dcd"

    /// The packets of all devices.
    static let all = Array([beacons, climate, govee, household, sensors, switchBot, victron, xiaomi].joined())

    /// The decoder for the packet.
    var decoder: AdvertisementDecoder {
        AdvertisementDecoder(address: Address("C0:00:00:00:00:01"), key: key)
    }

    /// The advertisement that a radio would receive.
    var advertisement: Advertisement {
        get throws {
            var advertisement = Advertisement()
            advertisement.localName = name
            advertisement.serviceUUIDs = offers
            let bytes = try HexadecimalText(hex).bytes
            if let company { advertisement.manufacturerData[company] = bytes }
            if let service {
                advertisement.serviceData[service] = try serviceHex.map { try HexadecimalText($0).bytes } ?? bytes
            }
            return advertisement
        }
    }
}
