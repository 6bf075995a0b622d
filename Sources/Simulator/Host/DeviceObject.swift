import Bluetooth
import DBus
import EventLoop

/// A device that an adapter has heard or knows: `/org/bluez/hci0/dev_C0_00_00_00_00_01`.
final class DeviceObject: ExportedObject {
    let peripheral: Peripheral
    let path: String
    unowned let adapter: AdapterObject
    /// The path has the first one for ever; this one may change.
    var address: Address

    // What it is known by.
    var name: String?
    var alias: String?
    var appearance: UInt16?
    var rssi: Int16?
    var txPower: Int16?
    var manufacturerData: [UInt16: [UInt8]] = [:]
    var serviceData: [UUID: [UInt8]] = [:]
    var uuids: [UUID] = []
    var lastHeard: Instant

    /// Whether it is forgotten when it falls silent.
    var isTemporary = true
    /// Whether it is removed as soon as its link has ended.
    var isLeaving = false
    var isBonded = false
    /// What the agent could do when the link was made.
    var linkCapability = Agents.Capability.noInputNoOutput
    var isTrusted = false
    var isBlocked = false
    var preferredBearer = "last-used"

    var isConnected = false
    var isResolved = false
    /// The connection that is being made.
    var attempt: ConnectionAttempt?
    /// Those who wait for the end of the link; not empty: it is being ended.
    var disconnects: [() -> Void] = []
    var disconnecting: Timer?
    var resolving: Timer?
    var pairing: PairingAttempt?
    var requests: [PendingRequest] = []
    var services: [ServiceObject] = []
    /// The level that `Battery1` shows.
    var battery: UInt8?

    init(_ peripheral: Peripheral, _ address: Address, at adapter: AdapterObject) {
        self.peripheral = peripheral
        self.adapter = adapter
        self.address = address
        path = Self.path(of: address, at: adapter)
        lastHeard = adapter.host.loop.now
        if let known = adapter.host.storage[adapter.model.address, address] {
            isTemporary = false
            isBonded = known.isBonded
            isTrusted = known.isTrusted
            uuids = known.uuids
            name = peripheral.model.deviceName
        } else {
            watchSilence()
        }
    }

    static func path(of address: Address, at adapter: AdapterObject) -> String {
        "\(adapter.path)/dev_\(address.text(separator: "_"))"
    }

    var host: Host { adapter.host }
    var tree: ObjectTree { adapter.tree }

    var interfaces: [any ExportedInterface] {
        let device = Interface(Self.device, of: self)
        return battery == nil ? [device] : [device, Interface(Self.battery, of: self)]
    }

    func changed(_ property: String) {
        tree.changed(property, of: Self.device.name, at: self)
    }

    /// Whether both sides have the keys of the same bond.
    var isSecure: Bool { isBonded && peripheral.bonds.contains(adapter.model.address) }

    var characteristics: [CharacteristicObject] { services.flatMap(\.characteristics) }

    /// The end of this object: nothing happens to it any more.
    func close() {
        attempt?.cancel()
        attempt = nil
        for timer in [disconnecting, resolving] { timer?.cancel() }
        pairing = nil
        if isConnected { peripheral.disconnected() }
        isConnected = false
        isResolved = false
        failRequests()
        for characteristic in characteristics { characteristic.linkLost() }
        hideBattery()
    }

    func clientLeft(_ client: String) {
        for characteristic in characteristics { characteristic.clientLeft(client) }
        // A pairing goes with its client, and takes the link with it (BlueZ, src/device.c, create_bond_req_exit).
        if pairing?.call.client == client { disconnect {} }
    }

    /// Writes down what outlives bluetoothd.
    func keep() {
        guard !isTemporary && !isLeaving else { return }
        host.storage[adapter.model.address, address] = Storage.Device(
            isTrusted: isTrusted, isBonded: isBonded, uuids: uuids)
    }
}
