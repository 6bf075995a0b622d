import Bluetooth
import DBus
import EventLoop
import System

/// The D-Bus object of a device, for example `/org/bluez/hci0/dev_C0_00_00_00_00_01`.
final class DeviceObject: ExportedObject {
    let peripheral: Peripheral
    /// The object path, which contains the first address; it does not change when the address changes.
    let path: String
    unowned let adapter: AdapterObject
    private(set) lazy var link = DeviceLink(of: self)
    private(set) lazy var attributes = DeviceAttributes(of: self)
    private(set) lazy var pairing = DevicePairing(of: self)
    private(set) lazy var requests = DeviceRequests(of: self)
    private(set) var address: Address
    private(set) var advertised = AdvertisedData()
    private(set) var options = DeviceOptions()
    private var lastSeen: Instant
    /// Whether the device is removed when it has not been seen for `temporary_timeout`.
    private(set) var isTemporary = true
    /// Whether the device is removed when its connection has ended.
    private(set) var isLeaving = false
    private(set) var isBonded = false

    init(_ peripheral: Peripheral, _ address: Address, at adapter: AdapterObject) {
        self.peripheral = peripheral
        self.adapter = adapter
        self.address = address
        path = Self.path(of: address, at: adapter)
        lastSeen = adapter.host.loop.now
        if let stored = adapter.host.storage[adapter.model.address, address] {
            isTemporary = false
            isBonded = stored.isBonded
            options.isTrusted = stored.isTrusted
            advertised = AdvertisedData(name: peripheral.model.deviceName, uuids: stored.uuids)
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
        var interfaces = [Interface(Self.device, of: self)]
        if host.fleet.version.showsBearers { interfaces.append(Interface(Self.bearer, of: self)) }
        if attributes.battery != nil { interfaces.append(Interface(Self.battery, of: self)) }
        return interfaces
    }

    func changed(_ property: String) {
        tree.changed(property, of: Self.device.name, at: self)
    }

    /// Ends the pairing, the connection and all requests before the device is removed.
    func close() {
        pairing.close()
        link.close()
        attributes.stop()
        requests.failAll()
        attributes.close()
    }

    /// Ends the sessions of a client that has left the bus.
    func clientLeft(_ client: String) {
        attributes.clientLeft(client)
        // bluetoothd disconnects if the client of a pairing leaves the bus (src/device.c, create_bond_req_exit).
        if pairing.client == client { link.disconnect {} }
    }

    func update(_ body: (inout DeviceOptions) -> Void) {
        body(&options)
    }

    // MARK: Address and bond

    /// The type of the address: an identity address is public or static random.
    var kind: AddressKind {
        guard address == peripheral.model.identity else { return peripheral.model.kind }
        return address.value >> 46 == 0b11 ? .random : .public
    }

    /// Whether the address is private: it changes every few minutes.
    private var hasPrivateAddress: Bool {
        address.isPrivate(kind)
    }

    /// Sets the address to the identity address.
    func identified(as address: Address) {
        self.address = address
    }

    /// Whether both sides have the keys of the same bond.
    var isSecure: Bool { isBonded && peripheral.bonds.contains(adapter.model.address) }

    /// Stores the bond after a successful pairing.
    func bonded(by client: String) {
        if let identity = peripheral.model.identity, identity != address { adapter.rename(self, to: identity) }
        isBonded = true
        peripheral.bond(with: adapter.model.address)
        becomePermanent()
        store()
        peripheral.record(.paired, by: client)
        changed("Paired")
        changed("Bonded")
    }

    // MARK: Advertisements

    func received(_ packet: Packet, isFiltered: Bool, withDuplicates: Bool) {
        seen()
        signal(advertised.merge(packet, isFiltered: isFiltered, withDuplicates: withDuplicates))
    }

    /// Removes the signal strength at the end of a scan.
    func forgetStrength() {
        signal(advertised.forgetStrength())
    }

    /// Sets the name that was read from the peripheral.
    func named(_ name: String) {
        signal(advertised.setName(name))
    }

    /// Sets the UUIDs of the discovered services.
    func discovered(_ uuids: [UUID]) {
        let changes = advertised.setServices(uuids)
        signal(changes)
        if !changes.isEmpty { store() }
    }

    private func signal(_ changes: [String]) {
        for property in changes {
            changed(property)
            if property == "Name", options.alias == nil { changed("Alias") }
        }
    }

    /// Restarts the time after which a temporary device is removed.
    func seen() {
        lastSeen = host.loop.now
    }

    // MARK: Lifetime

    /// Whether a later connection is possible: the device is connectable and its address does not change.
    var canBeKept: Bool { peripheral.model.advertising.isConnectable && !hasPrivateAddress }

    /// Removes the device after `temporary_timeout` without an advertisement or connection, if it is temporary.
    private func watchSilence() {
        let rest = host.fleet.temporaryTimeout - (host.loop.now - lastSeen)
        host.loop.schedule(after: rest) { [weak self] in
            guard let self, isTemporary, adapter.device(address) === self else { return }
            if link.isConnected { seen() }
            if host.loop.now - lastSeen < host.fleet.temporaryTimeout {
                watchSilence()
            } else {
                adapter.remove(self)
            }
        }
    }

    /// Makes the device permanent and stores it, unless its address is private and there is no bond.
    func becomePermanent() {
        guard isTemporary, !isLeaving, !hasPrivateAddress || isBonded else { return }
        isTemporary = false
        store()
    }

    /// Makes a device without a bond temporary: it is removed if it is no longer seen.
    func becomeTemporary() {
        guard !isTemporary, !isBonded else { return }
        isTemporary = true
        host.storage[adapter.model.address, address] = nil
        watchSilence()
    }

    /// Removes the device when its connection has ended.
    func startLeaving() {
        isLeaving = true
    }

    /// Stores the device, which is then exported after a restart of bluetoothd.
    func store() {
        guard !isTemporary && !isLeaving else { return }
        host.storage[adapter.model.address, address] = Storage.Device(
            isTrusted: options.isTrusted, isBonded: isBonded, uuids: advertised.uuids)
    }
}
