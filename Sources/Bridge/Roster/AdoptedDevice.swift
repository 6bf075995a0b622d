internal import Bluetooth
internal import Configuration
internal import JSON

/// A device that nobody listed and that a fleet rule has taken in, with what it showed then.
struct AdoptedDevice: Equatable, Sendable {
    let address: Address
    /// What it is called here; it keeps the name, whatever it calls itself later.
    var name: String
    /// Whether a person has given it that name.
    var isRenamed = false
    /// What it advertised, of that what rules look at.
    let localName: String?
    let services: [UUID]
    let manufacturers: [UInt16]

    init(name: String, address: Address, _ advertisement: Advertisement) {
        self.name = name
        self.address = address
        localName = advertisement.localName
        services = advertisement.offeredServices
        manufacturers = advertisement.manufacturerData.keys.sorted()
    }

    /// What it showed, for the rules to look at again.
    var advertisement: Advertisement {
        var advertisement = Advertisement()
        advertisement.localName = localName
        advertisement.serviceUUIDs = services
        for company in manufacturers { advertisement.manufacturerData[company] = [] }
        return advertisement
    }
}

extension AdoptedDevice {
    init?(_ json: JSON) {
        guard let address = json["address"]?.string.flatMap({ Address($0) }), let name = json["name"]?.string else {
            return nil
        }
        self.address = address
        self.name = name
        isRenamed = json["renamed"]?.bool ?? false
        localName = json["local_name"]?.string
        services = (json["services"]?.array ?? []).compactMap { $0.string.flatMap { UUID($0) } }
        manufacturers = (json["manufacturers"]?.array ?? []).compactMap { $0.int.flatMap(UInt16.init(exactly:)) }
    }

    var json: JSON {
        [
            "address": .string("\(address)"), "name": .string(name), "renamed": .bool(isRenamed),
            "local_name": localName.map { .string($0) } ?? .null,
            "services": .array(services.map { .string("\($0)") }),
            "manufacturers": .array(manufacturers.map { .number(JSON.Number(Int($0))) }),
        ]
    }
}
