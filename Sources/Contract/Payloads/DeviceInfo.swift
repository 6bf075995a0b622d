package import Bluetooth
package import JSON

/// The payload of `PREFIX/DEVICE/info`: what the device offers.
package struct DeviceInfo: Equatable, Sendable {
    /// A characteristic that the configuration lists.
    package struct Characteristic: Equatable, Sendable {
        package let name: String
        package let uuid: UUID
        /// nil if the configuration does not name the service.
        package let service: UUID?
        package let canRead: Bool
        /// Whether the device and the configuration allow writes.
        package let canWrite: Bool
        package let canSubscribe: Bool
        /// The reading that is the state of a writable characteristic: NAME or NAME.FIELD; nil: its own.
        package let state: String?
        /// The flags that the device announced; nil before the first discovery.
        package let flags: [String]?
        package let fields: [Field]

        package init(
            name: String, uuid: UUID, service: UUID?, canRead: Bool, canWrite: Bool, canSubscribe: Bool,
            state: String? = nil, flags: [String]?, fields: [Field]
        ) {
            self.name = name
            self.uuid = uuid
            self.service = service
            self.canRead = canRead
            self.canWrite = canWrite
            self.canSubscribe = canSubscribe
            self.state = state
            self.flags = flags
            self.fields = fields
        }
    }

    /// A field of a characteristic, or an advertised quantity.
    package struct Field: Equatable, Sendable {
        package let name: String
        /// The format of the advertisements; nil for a field of a characteristic.
        package let format: String?
        package let unit: String?

        package init(name: String, format: String? = nil, unit: String?) {
            self.name = name
            self.format = format
            self.unit = unit
        }
    }

    package let name: String
    /// The name of the gateway that manages the device; nil in payloads of versions before 1.2.
    package let gateway: String?
    package let address: Address
    /// The identity address that a bond has revealed; nil if it is not known.
    package let identity: Address?
    /// Manufacturer, model and versions, as the device reports them.
    package let description: DeviceIdentity
    package let characteristics: [Characteristic]
    /// The advertised quantities; nil if the gateway does not read advertisements of the device.
    package let advertisement: [Field]?
    /// The values that the gateway calculates from other values of the device.
    package let derived: [Field]

    package init(
        name: String, gateway: String? = nil, address: Address, identity: Address?, _ description: DeviceIdentity,
        _ characteristics: [Characteristic], advertisement: [Field]?, derived: [Field] = []
    ) {
        self.name = name
        self.gateway = gateway
        self.address = address
        self.identity = identity
        self.description = description
        self.characteristics = characteristics
        self.advertisement = advertisement
        self.derived = derived
    }

    package var json: JSON {
        var members: JSON.Object = ["name": .string(name)]
        members.add("gateway", gateway)
        members["address"] = .text(address)
        members.add("identity", text: identity)
        members.merge(description.info)
        members["characteristics"] = .object(JSON.Object(characteristics.map { ($0.name, $0.json) }))
        members.add(
            "advertisement", advertisement.map { fields -> JSON in ["fields": .array(fields.map(\.json))] })
        if !derived.isEmpty { members["derived"] = ["fields": .array(derived.map(\.json))] }
        return .object(members)
    }

    /// - Returns: nil if the payload is not of this kind.
    package init?(_ json: JSON) {
        guard let members = json.object, let name = json["name"]?.string, let address = json.address("address"),
            let list = json["characteristics"]?.object
        else { return nil }
        let characteristics = list.compactMap { Characteristic($0.name, $0.value) }
        guard characteristics.count == list.count else { return nil }
        self.init(
            name: name, gateway: json["gateway"]?.string, address: address, identity: json.address("identity"),
            DeviceIdentity(members), characteristics,
            advertisement: json["advertisement"]?.list("fields", { Field($0) }),
            derived: json["derived"]?.list("fields", { Field($0) }) ?? [])
    }
}

extension DeviceInfo.Characteristic {
    fileprivate var json: JSON {
        var members: JSON.Object = ["uuid": .text(uuid)]
        members.add("service", text: service)
        members["read"] = .bool(canRead)
        members["write"] = .bool(canWrite)
        members["subscribe"] = .bool(canSubscribe)
        members.add("state", state)
        members.add("flags", flags.map { flags -> JSON in .array(flags.map { .string($0) }) })
        members["fields"] = .array(fields.map(\.json))
        return .object(members)
    }

    fileprivate init?(_ name: String, _ json: JSON) {
        guard let uuid = json["uuid"]?.string.flatMap({ UUID($0) }), let canRead = json["read"]?.bool,
            let canWrite = json["write"]?.bool, let canSubscribe = json["subscribe"]?.bool,
            let fields = json.list("fields", { DeviceInfo.Field($0) })
        else { return nil }
        self.init(
            name: name, uuid: uuid, service: json["service"]?.string.flatMap { UUID($0) }, canRead: canRead,
            canWrite: canWrite, canSubscribe: canSubscribe, state: json["state"]?.string,
            flags: json.list("flags", \.string), fields: fields)
    }
}

extension DeviceInfo.Field {
    fileprivate var json: JSON {
        var members: JSON.Object = ["name": .string(name)]
        members.add("format", format)
        members.add("unit", unit)
        return .object(members)
    }

    init?(_ json: JSON) {
        guard let name = json["name"]?.string else { return nil }
        self.init(name: name, format: json["format"]?.string, unit: json["unit"]?.string)
    }
}
