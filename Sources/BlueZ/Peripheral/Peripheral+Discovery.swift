package import Bluetooth
import DBus
import EventLoop
import System

/// Discovery of services.
extension Peripheral {
    /// Returns services and their characteristics.
    ///
    /// bluetoothd discovers all attributes of a new connection and reports them; this method searches the reported
    /// attributes.
    ///
    /// - Parameters:
    ///   - services: The services to look for; nil: all.
    ///   - limit: How long bluetoothd may take to resolve the services.
    /// - Returns: The services that were found, with their characteristics.
    /// - Throws: `CentralError`: `timeout` if the services were not resolved in time, `failed` if bluetoothd found no
    ///   service at all or more than 2,000 attributes, `peripheralDisconnected`.
    package func discoverServices(
        _ services: [UUID]? = nil, within limit: Duration = .seconds(30)
    ) async throws(CentralError) -> [Service] {
        let deadline = loop.now + limit
        var mtu: Int?
        repeat {
            let rest = max(deadline - loop.now, .zero)
            let isSettled = await wait(for: rest) { $0.areServicesResolved || !$0.isConnected }
            guard isConnected else { throw connectionDown() }
            guard isSettled, loop.now < deadline else {
                throw CentralError(.timeout, object, "discover: the services were not resolved in time")
            }
            if let change = attributes.lastChange {
                await loop.sleep(for: AttributeCache.quietTime - (loop.now - change))
            }
            mtu = try await catchUp()
        } while areServicesChanging
        guard isConnected else { throw connectionDown() }
        // bluetoothd also reports the services as resolved if the discovery failed (src/device.c,
        // gatt_client_ready_cb).
        guard !attributes.isEmpty else {
            throw CentralError(.failed, object, "discover: bluetoothd found no services; connect again")
        }
        guard !attributes.exceedsLimit else {
            let message =
                "discover: the device offers too many attributes: up to \(AttributeTree.maximumCount) are supported"
            throw CentralError(.failed, object, message)
        }
        attributes.clearChange()
        var found = attributes.services(services, mtu: mtu)
        if let battery = await hiddenBattery(services, besides: found) { found.append(battery) }
        guard isConnected else { throw connectionDown() }
        attributes.setDiscovered(found)
        return found
    }

    private func connectionDown() -> CentralError {
        CentralError(.peripheralDisconnected, object, "discover: the connection is down")
    }

    /// How long bluetoothd may take to read the battery level after it has resolved the services.
    private static let batteryLimit = Duration.seconds(2)

    /// Returns the battery service if it is wanted, and bluetoothd reports only `Battery1`; nil otherwise.
    private func hiddenBattery(_ wanted: [UUID]?, besides found: [Service]) async -> Service? {
        guard attributes.hidesBattery(wanted, besides: found) else { return nil }
        _ = await wait(for: Self.batteryLimit) { $0.attributes.batteryLevel != nil || !$0.isConnected }
        guard attributes.batteryLevel != nil, let path else { return nil }
        return AttributeCache.battery(of: path)
    }

    /// Ensures that all reports of bluetoothd have arrived.
    ///
    /// bluetoothd sends pending signals before any reply (gdbus/object.c, g_dbus_send_message), but `ServicesResolved`
    /// may come before the objects.
    ///
    /// - Returns: The connection's ATT MTU in bytes, if bluetoothd reports it.
    private func catchUp() async throws(CentralError) -> Int? {
        guard let connection, let path else { throw connectionDown() }
        do throws(DBusError) {
            // Objects that were announced before the peripheral was in use are not announced again. If the objects are
            // being announced now, possibly only a service has arrived.
            if attributes.anyCharacteristic == nil {
                for (child, interfaces) in try await connection.managedObjects(below: path) {
                    if let interfaces = interfaces.dictionary { attributes.add(interfaces, at: child) }
                }
            }
            guard let characteristic = attributes.anyCharacteristic else { return nil }
            let object = RemoteObject(
                connection: connection, path: characteristic, interface: BlueZName.gattCharacteristic)
            return try await object.getAll().map(AttributeProperties.init)?.maximumTransmissionUnit
        } catch {
            guard error.name == DBusError.unknownObject else { throw CentralError(error, object, doing: "discover") }
            // The services are changing just now.
            attributes.noteChange(at: loop.now)
            return nil
        }
    }

    // MARK: Changes

    private var areServicesChanging: Bool {
        guard let change = attributes.lastChange else { return false }
        return !areServicesResolved || loop.now - change < AttributeCache.quietTime
    }

    /// Handles a new object for one of the peripheral's attributes.
    func attributeAdded(_ interfaces: [String: Variant], at path: String) {
        guard isOnRoute(path) else { return }
        attributes.add(interfaces, at: path)
        servicesChanged()
    }

    /// Handles an object for one of the peripheral's attributes that bluetoothd announced earlier.
    func attributeKnown(_ interfaces: [String: Variant], at path: String) {
        if isOnRoute(path) { attributes.add(interfaces, at: path) }
    }

    func attributeRemoved(at path: String) {
        guard isOnRoute(path) else { return }
        attributes.remove(path)
        servicesChanged()
    }

    /// Returns whether an attribute's object belongs to the chosen adapter; other adapters may have objects for the
    /// peripheral too.
    private func isOnRoute(_ path: String) -> Bool {
        self.path.map { path.hasPrefix($0 + "/") } ?? false
    }

    /// Notes that the services change during the connection: a Service Changed indication.
    func servicesChanged() {
        if attributes.lastChange != nil { attributes.noteChange(at: loop.now) }
        guard isConnected, attributes.isDiscovered else { return }
        attributes.noteChange(at: loop.now)
        forgetServices()
        operations.failAll(with: CentralError(.servicesChanged, object, "the services have changed"))
        emit(.servicesInvalidated)
    }
}
