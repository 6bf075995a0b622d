import Bluetooth
import DBus
import EventLoop

/// The attribute objects of a device: service discovery, changes of the services, and the battery level.
final class DeviceAttributes {
    private unowned let device: DeviceObject
    private var services: [ServiceObject] = []
    /// The property ServicesResolved.
    private(set) var isResolved = false
    private var resolving: Timer?
    /// The battery level that `Battery1` shows, in percent; nil while the device does not have this interface.
    private(set) var battery: UInt8?

    /// The client of requests of bluetoothd itself in the peripheral's events.
    private static let ownClient = "bluetoothd"

    init(of device: DeviceObject) {
        self.device = device
    }

    private var host: Host { device.host }
    private var tree: ObjectTree { device.tree }
    private var peripheral: Peripheral { device.peripheral }

    var isEmpty: Bool { services.isEmpty }

    var characteristics: [CharacteristicObject] { services.flatMap(\.characteristics) }

    func object(of characteristic: PeripheralCharacteristic) -> CharacteristicObject? {
        characteristics.first { $0.attribute === characteristic }
    }

    // MARK: Discovery

    /// Starts service discovery after a new connection; the services of an earlier connection are exported until then.
    func startResolving() {
        if !services.isEmpty { servicesKnown() }
        resolving = host.loop.schedule(after: peripheral.model.pace.resolve) { [weak self] in self?.resolve() }
    }

    func stopResolving() {
        resolving?.cancel()
    }

    private func resolve() {
        // bluetoothd does not discover the services of a blocked device.
        guard device.link.isConnected, !device.options.isBlocked else { return }
        if peripheral.faults.happens(.neverResolves) { return }
        if peripheral.faults.happens(.linkLostWhileResolving) { return peripheral.drop() }
        isResolved = true
        if peripheral.faults.happens(.resolvedWithoutServices) { return device.changed("ServicesResolved") }
        let isEarly = peripheral.faults.happens(.resolvedTooEarly)
        if isEarly { tree.emit("ServicesResolved", of: DeviceObject.device.name, at: device) }
        readDeviceName()
        let isFirst = services.isEmpty
        if isFirst {
            addServices()
        } else if !areServicesCurrent, !peripheral.faults.happens(.cacheStale) {
            replaceServices()
        }
        device.discovered(Set(peripheral.services.map(\.uuid)).sorted { $0.fullDescription < $1.fullDescription })
        device.changed("ServicesResolved")
        if isEarly, let first = services.first {
            tree.emit(first)
            tree.flush(after: Self.signalDelay)
        } else {
            tree.flush()
        }
        if isFirst { servicesKnown() }
    }

    /// The delay of the signals of new objects if bluetoothd is busy.
    private static let signalDelay = Duration.milliseconds(20)

    /// Whether the peripheral still has all services that are exported on D-Bus.
    private var areServicesCurrent: Bool {
        services.allSatisfy { shown in peripheral.services.contains { $0 === shown.service } }
    }

    /// Restores earlier subscriptions and reads the battery level, as bluetoothd does after the discovery.
    private func servicesKnown() {
        for characteristic in characteristics { characteristic.subscription.restore() }
        readBattery()
    }

    private func readDeviceName() {
        peripheral.record(.read, AttributeDatabase.deviceName, by: Self.ownClient)
        device.named(peripheral.model.deviceName)
    }

    // MARK: Objects

    private func addServices() {
        let isBatteryHidden = peripheral.faults.happens(.batteryHidden)
        for service in shownServices where !(isBatteryHidden && service.uuid == AttributeDatabase.battery) {
            add(service)
        }
    }

    private var shownServices: [PeripheralService] {
        let hidden = host.fleet.version.showsClaimedServices ? nil : AttributeDatabase.genericAccess
        return peripheral.services.filter { $0.uuid != hidden }
    }

    private func add(_ service: PeripheralService) {
        let object = ServiceObject(service, of: device)
        services.append(object)
        tree.add(object)
        for characteristic in object.characteristics {
            tree.add(characteristic)
            for descriptor in characteristic.descriptors { tree.add(descriptor) }
        }
    }

    func removeServices() {
        for service in services {
            removeAttributes(of: service)
            tree.remove(service)
        }
        services = []
    }

    private func removeAttributes(of service: ServiceObject) {
        for characteristic in service.characteristics {
            for descriptor in characteristic.descriptors { tree.remove(descriptor) }
            tree.remove(characteristic)
        }
    }

    // MARK: Service Changed

    /// Handles Service Changed: adds the new services, then removes the old ones; `ServicesResolved` does not change.
    func changed() {
        for characteristic in characteristics { characteristic.sockets.release() }
        // The results of a discovery in progress would be out of date.
        resolving?.cancel()
        if peripheral.faults.happens(.servicesChangeSlowly) { return changeSlowly() }
        guard isResolved else { return startResolving() }
        resolving = host.loop.schedule(after: peripheral.model.pace.resolve) { [weak self] in
            guard let self, device.link.isConnected else { return }
            replaceServices()
            readBattery()
        }
    }

    private func changeSlowly() {
        removeServices()
        isResolved = false
        device.changed("ServicesResolved")
        // Clients receive the signal before their requests fail.
        tree.flush()
        device.requests.failAll()
        addSlowly(shownServices[...])
    }

    private func addSlowly(_ rest: ArraySlice<PeripheralService>) {
        resolving = host.loop.schedule(after: peripheral.model.pace.resolve) { [weak self] in
            guard let self, device.link.isConnected else { return }
            if let next = rest.first {
                add(next)
                return addSlowly(rest.dropFirst())
            }
            isResolved = true
            device.changed("ServicesResolved")
            readBattery()
        }
    }

    private func replaceServices() {
        let present = Set(shownServices.map(\.handle))
        let gone = services.filter { !present.contains($0.service.handle) }
        services.removeAll { !present.contains($0.service.handle) }
        let known = Set(services.map(\.service.handle))
        for service in shownServices where !known.contains(service.handle) { add(service) }
        tree.flush()
        for service in gone {
            removeAttributes(of: service)
            if service.removeIncludes() { tree.emit("Includes", of: ServiceObject.name, at: service) }
            tree.remove(service)
        }
    }

    // MARK: Battery

    private var batteryLevel: PeripheralCharacteristic? {
        peripheral.services.first { $0.uuid == AttributeDatabase.battery }?.characteristics
            .first { $0.uuid == AttributeDatabase.batteryLevel }
    }

    /// Reads and subscribes to the battery level, as bluetoothd does (profiles/battery/battery.c).
    private func readBattery() {
        guard let level = batteryLevel else { return }
        host.loop.schedule(after: peripheral.model.pace.read) { [weak self] in
            guard let self, device.link.isConnected, !device.link.isDisconnecting, batteryLevel === level else {
                return
            }
            let value = try? peripheral.read(level, offset: 0, isBonded: device.isSecure, by: Self.ownClient)
            guard let percentage = value?.first else { return }
            let isNew = battery == nil
            battery = percentage
            if isNew { tree.added(DeviceObject.battery.name, to: device) }
            let canNotify = level.model.properties.canSubscribe
            if canNotify && !level.isSubscribed { peripheral.subscribe(level, by: Self.ownClient) }
        }
    }

    func hideBattery() {
        guard battery != nil else { return }
        battery = nil
        tree.removed(DeviceObject.battery.name, from: device)
    }

    // MARK: Events

    func notified(_ value: [UInt8], of characteristic: PeripheralCharacteristic) {
        if characteristic === batteryLevel, let percentage = value.first, battery != nil, percentage != battery {
            battery = percentage
            tree.changed("Percentage", of: DeviceObject.battery.name, at: device)
        }
        object(of: characteristic)?.notified(value)
    }

    /// Handles the end of the connection.
    func linkLost() {
        for characteristic in characteristics { characteristic.linkLost() }
        if isResolved {
            isResolved = false
            device.changed("ServicesResolved")
        }
    }

    /// Ends service discovery without signals before the device is removed.
    func stop() {
        resolving?.cancel()
        isResolved = false
    }

    /// Closes the sockets and removes the battery level before the device is removed.
    func close() {
        for characteristic in characteristics { characteristic.linkLost() }
        hideBattery()
    }

    /// Ends the sessions of a client that has left the bus.
    func clientLeft(_ client: String) {
        for characteristic in characteristics { characteristic.subscription.clientLeft(client) }
    }
}
