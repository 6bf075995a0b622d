internal import Bluetooth
internal import DBus

/// What is known of a device that was heard, beyond its latest packet: few packets carry a name.
struct HeardDevice {
    var address: Address
    private let kind: AddressKind
    private let adapter: String
    private var name: String?
    private var services: [UUID] = []

    /// - Parameter properties: all of `Device1`.
    init?(_ properties: [String: Variant], at path: String) {
        guard let address = properties["Address"]?.text.flatMap({ Address($0) }) else { return nil }
        self.address = address
        kind = properties["AddressType"]?.text.flatMap(AddressKind.init) ?? .public
        adapter = path.split(separator: "/").dropLast().last.map(String.init) ?? ""
        learn(properties)
    }

    /// What properties that have changed say of a packet; nil where they do not come from one.
    mutating func sighting(_ changed: [String: Variant]) -> Sighting? {
        learn(changed)
        guard var advertisement = Advertisement(changed) else { return nil }
        advertisement.localName = name
        advertisement.serviceUUIDs = services
        return Sighting(address: address, kind: kind, adapter: adapter, advertisement: advertisement)
    }

    private mutating func learn(_ properties: [String: Variant]) {
        if let name = properties["Name"]?.text { self.name = name }
        if let uuids = properties["UUIDs"]?.texts { services = uuids.compactMap { UUID($0) } }
    }
}
