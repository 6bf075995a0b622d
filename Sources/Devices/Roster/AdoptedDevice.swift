package import Bluetooth
import Configuration
package import JSON

/// A device that a fleet rule has adopted, with its advertisement at that time.
package struct AdoptedDevice: Equatable, Sendable {
    package let address: Address
    /// The name of the device; it does not change if the device advertises another name later.
    package var name: String
    /// Whether a client has renamed the device.
    package var isRenamed = false
    /// The advertised name; fleet rules examine the name, the services and the manufacturers.
    package let localName: String?
    package let services: [UUID]
    package let manufacturers: [UInt16]
    /// The signal at the adoption, in dBm; nil: not known.
    package let rssi: Int?
    /// Whether a built-in format decoded the advertisement as that of a sensor.
    package let isDecoded: Bool

    package init(name: String, address: Address, _ advertisement: Advertisement) {
        self.name = name
        self.address = address
        localName = advertisement.localName
        services = advertisement.offeredServices
        manufacturers = advertisement.manufacturerData.keys.sorted()
        rssi = advertisement.rssi
        isDecoded = Configuration.FleetRule.isDecoded(advertisement, from: address)
    }

    /// The names that the device can have: its own one, and if another device has that one, the name with its address.
    package var names: [String] { [name, Self.distinctName(name, address)] }

    /// Returns a name with an address, for the second one of two devices with one name.
    static func distinctName(_ name: String, _ address: Address) -> String { "\(name)_\(address)" }

    /// The advertisement at the adoption, with empty manufacturer data; the fleet rules can be applied to it again.
    package var advertisement: Advertisement {
        var advertisement = Advertisement()
        advertisement.localName = localName
        advertisement.rssi = rssi
        advertisement.serviceUUIDs = services
        for company in manufacturers { advertisement.manufacturerData[company] = [] }
        return advertisement
    }
}

extension AdoptedDevice {
    package init?(_ json: JSON) {
        guard let address = json["address"]?.string.flatMap({ Address($0) }), let name = json["name"]?.string else {
            return nil
        }
        self.address = address
        self.name = name
        isRenamed = json["renamed"]?.bool ?? false
        localName = json["local_name"]?.string
        services = (json["services"]?.array ?? []).compactMap { $0.string.flatMap { UUID($0) } }
        manufacturers = (json["manufacturers"]?.array ?? []).compactMap { $0.int.flatMap(UInt16.init(exactly:)) }
        rssi = json["rssi"]?.int
        isDecoded = json["decoded"]?.bool ?? false
    }

    package var json: JSON {
        [
            "address": .text(address), "name": .string(name), "renamed": .bool(isRenamed),
            "local_name": localName.map { .string($0) } ?? .null,
            "services": .array(services.map { .text($0) }),
            "manufacturers": .array(manufacturers.map { .number($0) }),
            "rssi": rssi.map { .number($0) } ?? .null, "decoded": .bool(isDecoded),
        ]
    }
}
