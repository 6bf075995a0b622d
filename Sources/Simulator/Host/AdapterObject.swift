import Bluetooth
import DBus
import EventLoop

/// An adapter: `/org/bluez/hci0`.
final class AdapterObject: ExportedObject {
    let model: Fleet.Adapter
    let path: String
    unowned let host: Host
    var faults: FaultPlan
    /// What the machine calls it.
    let name: String
    var alias: String
    private(set) var isPowered: Bool
    private(set) var isChangingPower = false
    var isDiscoverable = false
    var discoverableTimeout: UInt32 = 180
    var isPairable = false
    var pairableTimeout: UInt32 = 0
    /// The clients that scan, each with its filter.
    var sessions: [String: DiscoveryFilter?] = [:]
    /// Whether the radio listens: not in the pauses of a scan.
    var isListening = false
    var pausing: Timer?
    /// The filters of clients that do not scan yet.
    var filters: [String: DiscoveryFilter] = [:]
    let initiator = Initiator()
    /// In the order of their appearance.
    private(set) var devices: [DeviceObject] = []
    private var devicesByAddress: [Address: DeviceObject] = [:]

    init(_ model: Fleet.Adapter, in host: Host) {
        self.model = model
        self.host = host
        path = "/org/bluez/\(model.name)"
        faults = FaultPlan(model.faults)
        name = model.alias ?? "BlueZ \(host.fleet.version.rawValue)"
        alias = name
        isPowered = model.isPowered
    }

    var tree: ObjectTree { host.tree }

    var interfaces: [any ExportedInterface] {
        let common: [any ExportedInterface] = [
            Interface(Self.adapter, of: self), Interface(Self.gattManager, of: self), Interface(Self.media, of: self),
            Interface(Self.advertisingManager, of: self),
        ]
        return host.fleet.version.showsAdapterDetails
            ? common + [Interface(Self.batteryProviderManager, of: self)] : common
    }

    func changed(_ property: String) {
        tree.changed(property, of: Self.adapter.name, at: self)
    }

    /// The adapter is gone, with its links.
    func close() {
        listen(false)
        for device in devices { device.close() }
    }

    /// A client has left the bus.
    func clientLeft(_ client: String) {
        filters[client] = nil
        endDiscovery(of: client)
        for device in devices { device.clientLeft(client) }
    }

    // MARK: Devices

    func device(_ address: Address) -> DeviceObject? { devicesByAddress[address] }

    /// Exports a device that has been heard or is known.
    func add(_ device: DeviceObject) {
        devices.append(device)
        devicesByAddress[device.address] = device
        tree.add(device)
    }

    /// Forgets a device, with all below it.
    func remove(_ device: DeviceObject) {
        device.close()
        device.removeServices()
        devices.removeAll { $0 === device }
        if devicesByAddress[device.address] === device { devicesByAddress[device.address] = nil }
        tree.remove(device)
    }

    /// Forgets a device for good: it does not come back with bluetoothd's next start.
    func forget(_ device: DeviceObject) {
        host.storage[model.address, device.address] = nil
        remove(device)
    }

    /// The keys of a bond say whose private address it is; the object stays where it is.
    func rename(_ device: DeviceObject, to address: Address) {
        devicesByAddress[device.address] = nil
        device.address = address
        devicesByAddress[address] = device
        device.changed("Address")
        device.changed("AddressType")
    }

    func removeDevices() {
        for device in devices { remove(device) }
    }

    /// Exports the devices that are known from earlier.
    func restoreDevices() {
        for address in host.storage.devices(of: model.address) {
            guard let peripheral = host.air.peripheral(address) else { continue }
            add(DeviceObject(peripheral, address, at: self))
        }
    }

    /// Whether another link would be one too many for the controller.
    var isFull: Bool { devices.count(where: \.isConnected) >= model.connections }

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

    /// The power has changed, whoever changed it.
    func switchPower(on: Bool) {
        isChangingPower = false
        guard on != isPowered else { return }
        isPowered = on
        if !on {
            removeTemporaryDevices(unless: on)
            for device in devices { device.powerLost() }
            endAllDiscovery()
        }
        changed("Powered")
        showPowerState()
    }
}
