import Bluetooth
import DBus

/// bluetoothd's objects for the services, characteristics and descriptors of one peripheral.
struct AttributeTree {
    private enum Object {
        case service(UUID, isPrimary: Bool, includes: [String])
        case characteristic(UUID, CharacteristicProperties)
        case descriptor(UUID)
    }

    private var objects: [String: Object] = [:]

    /// Whether there are no objects.
    var isEmpty: Bool { objects.isEmpty }

    /// The object path of an arbitrary characteristic; nil: there is none.
    var anyCharacteristic: String? {
        objects.first { if case .characteristic = $0.value { true } else { false } }?.key
    }

    // MARK: Changes

    /// Adds the D-Bus object at a path if it is a GATT service, characteristic or descriptor.
    mutating func add(_ interfaces: [String: Variant], at path: String) {
        if let properties = interfaces[BlueZName.gattService]?.dictionary.map(AttributeProperties.init),
            let uuid = properties.uuid
        {
            objects[path] = .service(uuid, isPrimary: properties.isPrimary, includes: properties.includes)
        } else if let properties = interfaces[BlueZName.gattCharacteristic]?.dictionary.map(AttributeProperties.init),
            let uuid = properties.uuid
        {
            objects[path] = .characteristic(uuid, CharacteristicProperties(flags: properties.flags))
        } else if let properties = interfaces[BlueZName.gattDescriptor]?.dictionary.map(AttributeProperties.init),
            let uuid = properties.uuid
        {
            objects[path] = .descriptor(uuid)
        }
    }

    mutating func remove(_ path: String) {
        objects[path] = nil
    }

    // MARK: Services

    /// Returns the wanted services, or all of them, in the order of their handles.
    ///
    /// - Parameters:
    ///   - wanted: The UUIDs of the services to return; nil: all.
    ///   - mtu: The connection's ATT MTU in bytes; nil: not known.
    /// - Returns: The services with their characteristics.
    func services(_ wanted: [UUID]?, mtu: Int?) -> [Service] {
        // The paths contain the handles with a fixed number of digits: sorted paths are in the order of the handles.
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
