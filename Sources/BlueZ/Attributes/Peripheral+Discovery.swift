package import Bluetooth
internal import DBus
internal import EventLoop

extension Peripheral {
    /// Looks up services and their characteristics.
    ///
    /// bluetoothd discovers the whole database when the link comes up, and tells of it; here what it has told is searched.
    ///
    /// - Parameters:
    ///   - services: the services to look for; nil: all of them.
    ///   - limit: how long bluetoothd may take to resolve the services.
    /// - Throws: `CentralError`: `timeout` when resolving took too long, `failed` when bluetoothd found nothing at all,
    ///   `peripheralDisconnected`.
    package func discoverServices(
        _ services: [UUID]? = nil, within limit: Duration = .seconds(30)
    ) async throws(CentralError) -> [Service] {
        let deadline = loop.now + limit
        var mtu: Int?
        repeat {
            let rest = max(deadline - loop.now, .zero)
            let isSettled = await wait(for: rest) { $0.areServicesResolved || !$0.isConnected }
            guard isConnected else { throw linkDown() }
            guard isSettled, loop.now < deadline else {
                throw CentralError(.timeout, object, "discover: the services were not resolved in time")
            }
            if let change = lastServiceChange { await loop.sleep(for: Self.quiet - (loop.now - change)) }
            mtu = try await catchUp()
        } while areServicesChanging
        guard isConnected else { throw linkDown() }
        // bluetoothd says that they are resolved also when discovering failed (src/device.c, gatt_client_ready_cb).
        guard !tree.isEmpty else {
            throw CentralError(.failed, object, "discover: bluetoothd found no services; connect again")
        }
        lastServiceChange = nil
        var found = tree.services(services, mtu: mtu)
        if let battery = await hiddenBattery(services, besides: found) { found.append(battery) }
        guard isConnected else { throw linkDown() }
        characteristics = PathTable()
        for characteristic in found.flatMap(\.characteristics) {
            characteristics[characteristic.path] = characteristic
        }
        return found
    }

    private func linkDown() -> CentralError {
        CentralError(.peripheralDisconnected, object, "discover: the link went down")
    }

    /// Makes sure that all has arrived that bluetoothd has told: it sends what is pending before any reply (gdbus/object.c,
    /// g_dbus_send_message), but `ServicesResolved` may come before the objects.
    ///
    /// - Returns: the link's ATT MTU, where bluetoothd tells it.
    private func catchUp() async throws(CentralError) -> Int? {
        guard let connection, let path else { throw linkDown() }
        do throws(DBusError) {
            // What was announced before anybody cared for the peripheral is announced to nobody; and of what is being
            // announced just now only a service may have come.
            if tree.anyCharacteristic == nil { try await retrieveServices(connection, below: path) }
            guard let characteristic = tree.anyCharacteristic else { return nil }
            let call = try Message(
                call: "GetAll", on: BlueZName.properties, at: characteristic, of: BlueZName.service,
                [.string(BlueZName.gattCharacteristic)])
            let size = try await connection.call(call).arguments.first?.dictionary?["MTU"]?.integer
            return size.flatMap(UInt16.init(exactly:)).map(Int.init)
        } catch {
            guard error.name == DBusError.unknownObject else { throw CentralError(error, object, doing: "discover") }
            // They are changing just now.
            lastServiceChange = loop.now
            return nil
        }
    }

    private func retrieveServices(_ connection: Connection, below path: String) async throws(DBusError) {
        for (child, interfaces) in try await Self.managedObjects(connection, below: path) {
            if let interfaces = interfaces.dictionary { tree.add(interfaces, at: child) }
        }
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

    // MARK: Services that change

    /// How long nothing may have changed before the services are looked up again: bluetoothd takes the old ones away and
    /// discovers the new ones one by one (measured with 5.66: the first half a second later).
    private static let quiet = Duration.seconds(1)

    private var areServicesChanging: Bool {
        guard let lastServiceChange else { return false }
        return !areServicesResolved || loop.now - lastServiceChange < Self.quiet
    }

    /// bluetoothd has an object for one of the peripheral's attributes.
    func attributeAdded(_ interfaces: [String: Variant], at path: String) {
        guard isOnRoute(path) else { return }
        tree.add(interfaces, at: path)
        servicesChanged()
    }

    /// bluetoothd has had an object for one of the peripheral's attributes.
    func attributeKnown(_ interfaces: [String: Variant], at path: String) {
        if isOnRoute(path) { tree.add(interfaces, at: path) }
    }

    /// Whether an object belongs to the adapter that is taken, and not to another that knows the peripheral, too.
    private func isOnRoute(_ path: String) -> Bool {
        self.path.map { path.hasPrefix($0 + "/") } ?? false
    }

    func attributeRemoved(at path: String) {
        guard isOnRoute(path) else { return }
        tree.remove(path)
        servicesChanged()
    }

    /// The services change while the link is up: a Service Changed indication.
    func servicesChanged() {
        if lastServiceChange != nil { lastServiceChange = loop.now }
        guard isConnected, !characteristics.isEmpty else { return }
        lastServiceChange = loop.now
        forgetServices()
        failOperations(with: CentralError(.servicesChanged, object, "the services have changed"))
        emit(.servicesInvalidated)
    }
}
