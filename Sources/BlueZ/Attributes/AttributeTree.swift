import Bluetooth
import DBus

/// bluetoothd's objects for the services, characteristics and descriptors of one peripheral.
struct AttributeTree {
    private enum Object {
        case service(UUID, isPrimary: Bool, includes: [String])
        case characteristic(UUID, CharacteristicProperties)
        case descriptor(UUID)
    }

    /// The largest number of attributes of a usable peripheral.
    ///
    /// Real peripherals have up to a few hundred. A peripheral that offers thousands would occupy the event loop for
    /// seconds with each discovery.
    static let maximumCount = 2_000

    private var objects: [String: Object] = [:]

    /// The number of services, characteristics and descriptors.
    var count: Int { objects.count }

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
        // The paths contain the handles with a fixed number of digits: sorted paths are in the order of the handles,
        // and the objects below a path follow it.
        var paths = objects.keys.sorted()[...]
        var services: [Service] = []
        while let path = paths.popFirst() {
            guard case .service(let uuid, let isPrimary, let includes) = objects[path] else { continue }
            let parts = Self.popPaths(below: path, from: &paths)
            guard wanted?.contains(uuid) ?? true else { continue }
            services.append(
                Service(
                    uuid: uuid, isPrimary: isPrimary, includedServices: includes.compactMap(service(at:)),
                    characteristics: characteristics(parts, uuid, mtu), path: path))
        }
        return services
    }

    private func service(at path: String) -> UUID? {
        if case .service(let uuid, _, _) = objects[path] { uuid } else { nil }
    }

    /// Returns the characteristics among the sorted paths below a service.
    private func characteristics(_ paths: ArraySlice<String>, _ service: UUID, _ mtu: Int?) -> [Characteristic] {
        var paths = paths
        var characteristics: [Characteristic] = []
        while let path = paths.popFirst() {
            guard case .characteristic(let uuid, let properties) = objects[path] else { continue }
            let descriptors = Self.popPaths(below: path, from: &paths).compactMap { descriptor(at: $0, of: uuid) }
            characteristics.append(
                Characteristic(
                    uuid: uuid, service: service, properties: properties, maximumTransmissionUnit: mtu,
                    descriptors: descriptors, path: path))
        }
        return characteristics
    }

    private func descriptor(at path: String, of characteristic: UUID) -> Descriptor? {
        guard case .descriptor(let uuid) = objects[path] else { return nil }
        return Descriptor(uuid: uuid, characteristic: characteristic, path: path)
    }

    /// Removes and returns the first paths of a sorted list, as far as they are below `parent`.
    private static func popPaths(below parent: String, from paths: inout ArraySlice<String>) -> ArraySlice<String> {
        let prefix = parent + "/"
        let below = paths.prefix { $0.hasPrefix(prefix) }
        paths = paths[below.endIndex...]
        return below
    }
}
