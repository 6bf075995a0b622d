import Bluetooth
import DBus
import EventLoop

/// The discovery of an adapter: each client has a session and a filter, and all clients share one scan.
final class AdapterDiscovery: Receiver {
    private unowned let adapter: AdapterObject
    /// The filters of the clients with a discovery session, by client; nil: no filter.
    private var sessions: [String: DiscoveryFilter?] = [:]
    /// The filters of the clients without a discovery session, by client.
    private var filters: [String: DiscoveryFilter] = [:]
    /// Whether the adapter receives advertisements; false during the pauses of a scan.
    private(set) var isListening = false
    private var pausing: Timer?

    init(of adapter: AdapterObject) {
        self.adapter = adapter
    }

    private var host: Host { adapter.host }
    private var isDiscovering: Bool { !sessions.isEmpty }

    // MARK: Sessions

    func setFilter(_ call: Call) throws(DBusError) {
        guard adapter.isPowered else { throw BlueZError.notReady }
        let filter = try DiscoveryFilter(call.options, of: host.fleet.version)
        call.reply()
        if sessions[call.client] != nil {
            sessions[call.client] = .some(filter)
            resumeListening()
        } else {
            filters[call.client] = filter
        }
    }

    func start(_ call: Call) throws(DBusError) {
        guard adapter.isPowered else { throw BlueZError.notReady }
        if sessions[call.client] != nil || adapter.faults.happens(.discoveryInProgress) {
            throw BlueZError.discoveryInProgress
        }
        sessions[call.client] = .some(filters.removeValue(forKey: call.client))
        call.reply()
        resumeListening()
    }

    func stop(_ call: Call) throws(DBusError) {
        guard adapter.isPowered else { throw BlueZError.notReady }
        if adapter.faults.happens(.discoveryEnded) { endSession(of: call.client) }
        guard let filter = sessions[call.client] else { throw BlueZError.failed("No discovery started") }
        call.reply()
        endSession(of: call.client)
        // BlueZ 5.66, discovery_remove: the filter also applies to the client's next session.
        filters[call.client] = filter
    }

    /// Removes a client that has left the bus.
    func clientLeft(_ client: String) {
        filters[client] = nil
        endSession(of: client)
    }

    private func endSession(of client: String) {
        guard sessions.removeValue(forKey: client) != nil, !isDiscovering else { return }
        discoveryEnded()
    }

    func endAll() {
        filters = [:]
        guard isDiscovering else { return }
        sessions = [:]
        discoveryEnded()
    }

    private func discoveryEnded() {
        let wasListening = isListening
        listen(false)
        for device in adapter.devices.reversed() {
            device.forgetStrength()
            // BlueZ 5.66, discovery_cleanup: a device is removed if no later connection to it is possible.
            if device.isTemporary && !device.link.isConnected && !device.canBeKept { adapter.remove(device) }
        }
        if wasListening { adapter.changed("Discovering") }
    }

    // MARK: The radio

    /// Starts or continues receiving; without a filter, bluetoothd repeatedly scans for 10.24 s and pauses for 5 s.
    private func resumeListening() {
        if !isListening {
            listen(true)
            adapter.changed("Discovering")
        }
        pausing?.cancel()
        guard !sessions.values.contains(where: { $0 != nil }) else { return }
        pausing = host.loop.schedule(after: .milliseconds(10_240)) { [weak self] in self?.pauseListening() }
    }

    private func pauseListening() {
        listen(false)
        adapter.changed("Discovering")
        pausing = host.loop.schedule(after: .seconds(5)) { [weak self] in self?.resumeListening() }
    }

    /// Stops receiving advertisements; the sessions remain.
    func close() {
        listen(false)
    }

    private func listen(_ on: Bool) {
        isListening = on
        pausing?.cancel()
        host.air.listening(self, on)
    }

    // MARK: Receiver

    var adapterModel: SimulatedFleet.Adapter { adapter.model }

    func received(_ packet: Packet, from peripheral: Peripheral) {
        if adapter.faults.happens(.scanDies) { return }
        let address = recognizedAddress(of: peripheral)
        let filters = sessions.values
        guard filters.contains(where: { $0?.matches(packet.advertisement, from: address) ?? packet.isDiscoverable })
        else { return }
        let known = adapter.device(address)
        // A device whose address has changed keeps its path, and bluetoothd does not create a second object there.
        if known == nil && adapter.tree[DeviceObject.path(of: address, at: adapter)] != nil { return }
        let device = known ?? DeviceObject(peripheral, address, at: adapter)
        device.received(
            packet, isFiltered: filters.contains { $0 != nil },
            withDuplicates: filters.contains { $0?.wantsDuplicates ?? false })
        if known == nil { adapter.add(device) }
    }

    /// Returns the address with which the kernel reports a peripheral: the identity address if there is a bond, else
    /// the address in the packet.
    private func recognizedAddress(of peripheral: Peripheral) -> Address {
        guard let identity = peripheral.model.identity,
            host.storage[adapter.model.address, identity]?.isBonded == true
        else { return peripheral.address }
        return identity
    }
}
