internal import Bluetooth
internal import DBus

/// The services of one peripheral, as a snapshot of bluetoothd's objects shows them.
struct GATTTree {
    private var objects: [(path: String, interfaces: [String: Variant])] = []

    init(_ snapshot: [String: Variant], below path: String) {
        // The slash keeps hci1 from hci10 and one device from the next.
        let prefix = path + "/"
        for (path, interfaces) in snapshot where path.hasPrefix(prefix) {
            objects.append((path, interfaces.dictionary ?? [:]))
        }
        // By handle, which the paths carry with a fixed number of digits: the order of the peripheral's database.
        objects.sort { $0.path < $1.path }
    }

    /// Whether there is not a single service.
    var isEmpty: Bool { objects.isEmpty }

    /// The services asked for, or all of them, in the order of their handles.
    func services(_ wanted: [UUID]?) -> [Service] {
        objects.compactMap { object in
            guard let properties = object.interfaces[BlueZName.gattService]?.dictionary,
                let uuid = properties["UUID"]?.text.flatMap({ UUID($0) }), wanted?.contains(uuid) ?? true
            else { return nil }
            return Service(
                uuid: uuid, isPrimary: properties["Primary"]?.boolean ?? true,
                includedServices: (properties["Includes"]?.texts ?? []).compactMap(service(at:)),
                characteristics: characteristics(of: object.path, uuid), path: object.path)
        }
    }

    private func service(at path: String) -> UUID? {
        let object = objects.first { $0.path == path }
        return object?.interfaces[BlueZName.gattService]?.dictionary?["UUID"]?.text.flatMap { UUID($0) }
    }

    private func characteristics(of service: String, _ serviceUUID: UUID) -> [Characteristic] {
        children(of: service, BlueZName.gattCharacteristic).compactMap { path, properties in
            guard let uuid = properties["UUID"]?.text.flatMap({ UUID($0) }) else { return nil }
            return Characteristic(
                uuid: uuid, service: serviceUUID,
                properties: CharacteristicProperties(flags: properties["Flags"]?.texts ?? []),
                maximumTransmissionUnit: properties["MTU"]?.integer, descriptors: descriptors(of: path, uuid),
                path: path)
        }
    }

    private func descriptors(of path: String, _ characteristic: UUID) -> [Descriptor] {
        children(of: path, BlueZName.gattDescriptor).compactMap { path, properties in
            properties["UUID"]?.text.flatMap { UUID($0) }.map {
                Descriptor(uuid: $0, characteristic: characteristic, path: path)
            }
        }
    }

    private func children(of parent: String, _ interface: String) -> [(String, [String: Variant])] {
        objects.compactMap { object in
            guard object.path.hasPrefix(parent + "/"), let properties = object.interfaces[interface]?.dictionary else {
                return nil
            }
            return (object.path, properties)
        }
    }
}
