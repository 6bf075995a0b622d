import Bluetooth
import DBus

/// The data of a device collected from all of its advertisements: a single advertisement often has no name.
struct SeenDevice {
    private(set) var address: Address
    private let kind: AddressKind
    private let adapter: String
    private var name: String?
    private var services: [UUID] = []

    /// - Parameters:
    ///   - properties: All properties of the device.
    ///   - path: The path of the device's object.
    init?(_ properties: DeviceProperties, at path: String) {
        guard let address = properties.address else { return nil }
        self.address = address
        kind = properties.addressKind ?? .public
        adapter = path.split(separator: "/").dropLast().last.map(String.init) ?? ""
        update(properties)
    }

    mutating func setAddress(_ address: Address) {
        self.address = address
    }

    /// Returns the advertisement that caused a change of properties; nil if the change has another cause.
    mutating func sighting(_ changed: DeviceProperties) -> Sighting? {
        update(changed)
        guard var advertisement = Advertisement(changed) else { return nil }
        advertisement.localName = name
        advertisement.serviceUUIDs = services
        return Sighting(address: address, kind: kind, adapter: adapter, advertisement: advertisement)
    }

    private mutating func update(_ properties: DeviceProperties) {
        if let name = properties.name { self.name = name }
        if let services = properties.services { self.services = services }
    }
}
