internal import Bluetooth
internal import DBus

/// The services of one peripheral, kept as bluetoothd tells of its objects for them.
struct GATTTree {
    private enum Object {
        case service(UUID, isPrimary: Bool, includes: [String])
        case characteristic(UUID, CharacteristicProperties)
        case descriptor(UUID)
    }

    private var objects: [String: Object] = [:]

    /// Whether there is not a single service.
    var isEmpty: Bool { objects.isEmpty }

    /// The path of any characteristic.
    var anyCharacteristic: String? {
        objects.first { if case .characteristic = $0.value { true } else { false } }?.key
    }

    // MARK: Changes

    /// Takes an object in, if it is one of a peripheral's attributes.
    mutating func add(_ interfaces: [String: Variant], at path: String) {
        if let properties = interfaces[BlueZName.gattService]?.dictionary, let uuid = Self.uuid(properties) {
            objects[path] = .service(
                uuid, isPrimary: properties["Primary"]?.boolean ?? true, includes: properties["Includes"]?.texts ?? [])
        } else if let properties = interfaces[BlueZName.gattCharacteristic]?.dictionary,
            let uuid = Self.uuid(properties)
        {
            let flags = properties["Flags"]?.texts ?? []
            objects[path] = .characteristic(uuid, CharacteristicProperties(flags: flags))
        } else if let properties = interfaces[BlueZName.gattDescriptor]?.dictionary, let uuid = Self.uuid(properties) {
            objects[path] = .descriptor(uuid)
        }
    }

    mutating func remove(_ path: String) {
        objects[path] = nil
    }

    private static func uuid(_ properties: [String: Variant]) -> UUID? {
        properties["UUID"]?.text.flatMap { UUID($0) }
    }

    // MARK: What there is

    /// The services asked for, or all of them, in the order of their handles.
    ///
    /// - Parameter mtu: the link's ATT MTU, if it is known.
    func services(_ wanted: [UUID]?, mtu: Int?) -> [Service] {
        // By handle, which the paths carry with a fixed number of digits: the order of the peripheral's database.
        let paths = objects.keys.sorted()
        return paths.compactMap { path in
            guard case .service(let uuid, let isPrimary, let includes) = objects[path], wanted?.contains(uuid) ?? true
            else { return nil }
            return Service(
                uuid: uuid, isPrimary: isPrimary, includedServices: includes.compactMap(service(at:)),
                characteristics: characteristics(paths, of: path, uuid, mtu), path: path)
        }
    }

    private func service(at path: String) -> UUID? {
        if case .service(let uuid, _, _) = objects[path] { uuid } else { nil }
    }

    private func characteristics(
        _ paths: [String], of service: String, _ serviceUUID: UUID, _ mtu: Int?
    ) -> [Characteristic] {
        paths.compactMap { path in
            guard path.hasPrefix(service + "/"), case .characteristic(let uuid, let properties) = objects[path] else {
                return nil
            }
            return Characteristic(
                uuid: uuid, service: serviceUUID, properties: properties, maximumTransmissionUnit: mtu,
                descriptors: descriptors(paths, of: path, uuid), path: path)
        }
    }

    private func descriptors(_ paths: [String], of characteristic: String, _ owner: UUID) -> [Descriptor] {
        paths.compactMap { path in
            guard path.hasPrefix(characteristic + "/"), case .descriptor(let uuid) = objects[path] else { return nil }
            return Descriptor(uuid: uuid, characteristic: owner, path: path)
        }
    }
}
