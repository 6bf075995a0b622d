import Bluetooth
import DBus
import EventLoop

/// The device's services, from the link to the last object.
extension DeviceObject {
    /// bluetoothd discovers everything by itself at each new link; what it knows from the last one it only checks.
    func startResolving() {
        if !services.isEmpty { serviceKnown() }
        resolving = host.loop.schedule(after: peripheral.model.pace.resolve) { [weak self] in self?.resolve() }
    }

    private func resolve() {
        // bluetoothd looks for no services at a device that is blocked.
        guard isConnected, !isBlocked else { return }
        if peripheral.faults.happens(.neverResolves) { return }
        if peripheral.faults.happens(.linkLostWhileResolving) { return peripheral.drop() }
        isResolved = true
        if peripheral.faults.happens(.resolvedWithoutServices) { return changed("ServicesResolved") }
        let isEarly = peripheral.faults.happens(.resolvedTooEarly)
        if isEarly { tree.emit("ServicesResolved", of: Self.device.name, at: self) }
        readDeviceName()
        let isFirst = services.isEmpty
        if isFirst {
            addServices()
        } else if !areServicesCurrent, !peripheral.faults.happens(.cacheStale) {
            replaceServices()
        }
        let known = Set(peripheral.services.map(\.uuid)).sorted { $0.fullDescription < $1.fullDescription }
        if known != uuids {
            uuids = known
            changed("UUIDs")
            keep()
        }
        changed("ServicesResolved")
        if isEarly, let first = services.first {
            tree.emit(first)
            tree.flush(after: Self.moment)
        } else {
            tree.flush()
        }
        if isFirst { serviceKnown() }
    }

    /// So late a busy bluetoothd may be in signalling what nobody asks for.
    private static let moment = Duration.milliseconds(20)

    /// Whether the peripheral still has the services that are shown.
    private var areServicesCurrent: Bool {
        services.allSatisfy { shown in peripheral.services.contains { $0 === shown.service } }
    }

    /// What starts as soon as the services are known: bluetoothd's own profiles, and subscriptions from earlier links.
    private func serviceKnown() {
        for characteristic in characteristics { characteristic.resubscribe() }
        readBattery()
    }

    private func readDeviceName() {
        peripheral.record(.read, AttributeDatabase.deviceName, by: Self.ownClient)
        guard name != peripheral.model.deviceName else { return }
        name = peripheral.model.deviceName
        changed("Name")
        if alias == nil { changed("Alias") }
    }

    /// What the peripheral's events call bluetoothd.
    static let ownClient = "bluetoothd"

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
        let object = ServiceObject(service, of: self)
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

    /// Service Changed: what is new is shown, and then what is gone is taken away; `ServicesResolved` stays as it is.
    func attributesChanged() {
        for characteristic in characteristics { characteristic.releaseSockets() }
        // What is being looked up is out of date already.
        resolving?.cancel()
        if peripheral.faults.happens(.servicesChangeSlowly) { return changeSlowly() }
        guard isResolved else { return startResolving() }
        resolving = host.loop.schedule(after: peripheral.model.pace.resolve) { [weak self] in
            guard let self, isConnected else { return }
            replaceServices()
            readBattery()
        }
    }

    private func changeSlowly() {
        removeServices()
        isResolved = false
        changed("ServicesResolved")
        // Who asked hears first why nothing comes of it.
        tree.flush()
        failRequests()
        addSlowly(shownServices[...])
    }

    private func addSlowly(_ rest: ArraySlice<PeripheralService>) {
        resolving = host.loop.schedule(after: peripheral.model.pace.resolve) { [weak self] in
            guard let self, isConnected else { return }
            if let next = rest.first {
                add(next)
                return addSlowly(rest.dropFirst())
            }
            isResolved = true
            changed("ServicesResolved")
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
            if service.forgetIncludes() { tree.emit("Includes", of: ServiceObject.name, at: service) }
            tree.remove(service)
        }
    }

    // MARK: Battery

    private var batteryLevel: PeripheralCharacteristic? {
        peripheral.services.first { $0.uuid == AttributeDatabase.battery }?.characteristics
            .first { $0.uuid == AttributeDatabase.batteryLevel }
    }

    /// bluetoothd reads and subscribes to the battery level by itself (profiles/battery/battery.c).
    private func readBattery() {
        guard let level = batteryLevel else { return }
        host.loop.schedule(after: peripheral.model.pace.read) { [weak self] in
            guard let self, isConnected, disconnects.isEmpty, batteryLevel === level else { return }
            let value = try? peripheral.read(level, offset: 0, isBonded: isSecure, by: Self.ownClient)
            guard let percentage = value?.first else { return }
            let isNew = battery == nil
            battery = percentage
            if isNew { tree.added(Self.battery.name, to: self) }
            let canNotify = level.model.properties.canSubscribe
            if canNotify && !level.isSubscribed { peripheral.subscribe(level, by: Self.ownClient) }
        }
    }

    func hideBattery() {
        guard battery != nil else { return }
        battery = nil
        tree.removed(Self.battery.name, from: self)
    }

    // MARK: Notifications

    func notified(_ value: [UInt8], of characteristic: PeripheralCharacteristic) {
        if characteristic === batteryLevel, let percentage = value.first, battery != nil, percentage != battery {
            battery = percentage
            tree.changed("Percentage", of: Self.battery.name, at: self)
        }
        characteristics.first { $0.attribute === characteristic }?.notified(value)
    }

    func isAcquired(_ characteristic: PeripheralCharacteristic) -> Bool {
        characteristics.first { $0.attribute === characteristic }?.notifySocket != nil
    }
}
