import Bluetooth
import DBus
import EventLoop

/// The D-Bus object of an adapter, for example `/org/bluez/hci0`.
final class AdapterObject: ExportedObject {
    let model: SimulatedFleet.Adapter
    let path: String
    unowned let host: Host
    let faults: FaultPlan
    /// The adapter's own name, and its default alias.
    let name: String
    private(set) var settings: AdapterSettings
    private(set) var isPowered: Bool
    private(set) var isChangingPower = false
    private(set) lazy var discovery = AdapterDiscovery(of: self)
    private(set) lazy var advertisements = AdvertisingManager(of: self)
    let initiator = Initiator()
    /// The devices, in the order in which they were added.
    private(set) var devices: [DeviceObject] = []
    private var devicesByAddress: [Address: DeviceObject] = [:]

    init(_ model: SimulatedFleet.Adapter, in host: Host) {
        self.model = model
        self.host = host
        path = "/org/bluez/\(model.name)"
        faults = FaultPlan(model.faults)
        name = model.alias ?? "BlueZ \(host.fleet.version.rawValue)"
        settings = AdapterSettings(alias: name)
        isPowered = model.isPowered
    }

    var tree: ObjectTree { host.tree }

    var interfaces: [any ExportedInterface] {
        var interfaces: [any ExportedInterface] = [
            Interface(Self.adapter, of: self), Interface(Self.gattManager, of: self), Interface(Self.media, of: self),
        ]
        if model.advertisements > 0 { interfaces.append(Interface(Self.advertisingManager, of: self)) }
        if host.fleet.version.showsAdapterDetails {
            interfaces.append(Interface(Self.batteryProviderManager, of: self))
        }
        return interfaces
    }

    func changed(_ property: String) {
        tree.changed(property, of: Self.adapter.name, at: self)
    }

    func update(_ body: (inout AdapterSettings) -> Void) {
        body(&settings)
    }

    /// Ends the scan and all connections, without signals.
    func close() {
        discovery.close()
        advertisements.close()
        for device in devices { device.close() }
    }

    /// Ends the sessions of a client that has left the bus.
    func clientLeft(_ client: String) {
        discovery.clientLeft(client)
        advertisements.clientLeft(client)
        for device in devices { device.clientLeft(client) }
    }

    // MARK: Devices

    func device(_ address: Address) -> DeviceObject? { devicesByAddress[address] }

    /// Exports a device that was seen in a scan or is stored.
    func add(_ device: DeviceObject) {
        devices.append(device)
        devicesByAddress[device.address] = device
        tree.add(device)
    }

    /// Removes a device and the objects below it.
    func remove(_ device: DeviceObject) {
        device.close()
        device.attributes.removeServices()
        devices.removeAll { $0 === device }
        if devicesByAddress[device.address] === device { devicesByAddress[device.address] = nil }
        tree.remove(device)
    }

    /// Removes a device and deletes it from the storage: the next bluetoothd does not export the device.
    func forget(_ device: DeviceObject) {
        host.storage[model.address, device.address] = nil
        remove(device)
    }

    /// Changes a device's address to the identity address that the pairing has revealed; the path does not change.
    func rename(_ device: DeviceObject, to address: Address) {
        devicesByAddress[device.address] = nil
        device.identified(as: address)
        devicesByAddress[address] = device
        device.changed("Address")
        device.changed("AddressType")
    }

    func removeDevices() {
        for device in devices { remove(device) }
    }

    /// Handles the call RemoveDevice.
    func removeDevice(_ call: Call) throws(DBusError) {
        let path = call.arguments[0].text ?? ""
        guard let device = devices.first(where: { $0.path == path }) else { throw BlueZError.doesNotExist }
        guard isPowered else { throw BlueZError.notReady }
        device.startLeaving()
        let isConnected = device.link.isConnected
        device.link.disconnect { [weak self, weak device] in
            // A connected device is removed after this reply, when its connection has ended.
            if !isConnected, let self, let device { forget(device) }
            call.reply()
        }
    }

    /// Exports the stored devices.
    func restoreDevices() {
        for address in host.storage.devices(of: model.address) {
            guard let peripheral = host.air.peripheral(address) else { continue }
            add(DeviceObject(peripheral, address, at: self))
        }
    }

    /// Whether the controller has no free connection.
    var isFull: Bool { devices.count(where: \.link.isConnected) >= model.connections }

    // MARK: Power

    func setPower(_ on: Bool, for call: Call) throws(DBusError) {
        if isChangingPower { throw BlueZError.busy }
        if faults.happens(.powerBlocked) { throw BlueZError.blocked }
        if on, !isPowered, faults.happens(.powerOnFails) { throw BlueZError.busy }
        guard on != isPowered else { return call.reply() }
        isChangingPower = true
        host.loop.schedule(after: .milliseconds(10)) { [weak self] in
            guard let self else { return }
            removeTemporaryDevices(unless: on)
            showPowerState()
            call.reply()
            switchPower(on: on)
        }
    }

    private func showPowerState() {
        if host.fleet.version.showsStates { changed("PowerState") }
    }

    private func removeTemporaryDevices(unless on: Bool) {
        if on { return }
        for device in devices where device.isTemporary { remove(device) }
    }

    /// Switches the adapter on or off immediately, on behalf of a client or another program.
    func switchPower(on: Bool) {
        isChangingPower = false
        guard on != isPowered else { return }
        isPowered = on
        advertisements.powerChanged(isOn: on)
        if !on {
            removeTemporaryDevices(unless: on)
            for device in devices { device.link.powerLost() }
            discovery.endAll()
        }
        changed("Powered")
        showPowerState()
    }
}
