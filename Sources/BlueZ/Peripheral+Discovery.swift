package import Bluetooth
internal import DBus

extension Peripheral {
    /// Looks up services and their characteristics.
    ///
    /// bluetoothd has discovered the whole database when the link came up; here one snapshot of it is searched, which is
    /// complete once `ServicesResolved` holds: bluetoothd sends what is pending before any reply.
    ///
    /// - Parameters:
    ///   - services: the services to look for; nil: all of them.
    ///   - limit: how long bluetoothd may take to resolve the services.
    /// - Throws: `CentralError`: `timeout` when resolving took too long, `failed` when bluetoothd found nothing at all,
    ///   `peripheralDisconnected`.
    package func discoverServices(
        _ services: [UUID]? = nil, within limit: Duration = .seconds(30)
    ) async throws(CentralError) -> [Service] {
        let isSettled = await wait(for: limit) { $0.areServicesResolved || !$0.isConnected }
        guard isConnected, let path, let connection else {
            throw CentralError(.peripheralDisconnected, object, "discover: the link went down")
        }
        guard isSettled else {
            throw CentralError(.timeout, object, "discover: the services were not resolved in time")
        }
        let objects: [String: Variant]
        do {
            objects = try await Self.managedObjects(connection, below: path)
        } catch {
            throw CentralError(error, object, doing: "discover")
        }
        guard isConnected else {
            throw CentralError(.peripheralDisconnected, object, "discover: the link went down")
        }
        let tree = GATTTree(objects, below: path)
        // bluetoothd says that they are resolved also when discovering failed (src/device.c, gatt_client_ready_cb).
        guard !tree.isEmpty else {
            throw CentralError(.failed, object, "discover: bluetoothd found no services; connect again")
        }
        let found = tree.services(services)
        characteristics = [:]
        for characteristic in found.flatMap(\.characteristics) {
            characteristics[characteristic.path] = characteristic
        }
        return found
    }

    static func managedObjects(_ connection: Connection) async throws(DBusError) -> [String: Variant] {
        try await connection.call(managedObjectsCall()).arguments.first?.dictionary ?? [:]
    }

    /// Those below one object: bluetoothd always tells of all, and of a large fleet's most are not even read.
    private static func managedObjects(
        _ connection: Connection, below path: String
    ) async throws(DBusError) -> [String: Variant] {
        var reader = try await connection.call(managedObjectsCall()).reader
        var objects: [String: Variant] = [:]
        guard !reader.isAtEnd else { return objects }
        var entries = reader.enter()
        while !entries.isAtEnd {
            var entry = entries.enter()
            guard entry.isPath(below: path) else { continue }
            guard case .objectPath(let name)? = entry.next(), let interfaces = entry.next() else { continue }
            objects[name] = interfaces
        }
        return objects
    }

    private static func managedObjectsCall() throws(DBusError) -> Message {
        try Message(call: "GetManagedObjects", on: BlueZName.objectManager, at: "/", of: BlueZName.service)
    }

    /// Objects below the peripheral came or went while the link is up: a Service Changed indication.
    func gattChanged() {
        guard isConnected, !characteristics.isEmpty else { return }
        forgetServices()
        emit(.servicesInvalidated)
    }
}
