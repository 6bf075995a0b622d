import Bluetooth
import DBus
import EventLoop

/// Scanning: sessions and filters belong to clients, and all of them share one scan.
extension AdapterObject: Receiver {
    var adapterName: String { model.name }

    var isDiscovering: Bool { !sessions.isEmpty }

    func setFilter(_ call: Call) throws(DBusError) {
        guard isPowered else { throw BlueZError.notReady }
        let filter = try DiscoveryFilter(call.options, of: host.fleet.version)
        call.reply()
        if sessions[call.client] != nil {
            sessions[call.client] = .some(filter)
            resumeListening()
        } else {
            filters[call.client] = filter
        }
    }

    func startDiscovery(_ call: Call) throws(DBusError) {
        guard isPowered else { throw BlueZError.notReady }
        if sessions[call.client] != nil || faults.happens(.discoveryInProgress) {
            throw BlueZError.discoveryInProgress
        }
        sessions[call.client] = .some(filters.removeValue(forKey: call.client))
        call.reply()
        resumeListening()
    }

    func stopDiscovery(_ call: Call) throws(DBusError) {
        guard isPowered else { throw BlueZError.notReady }
        guard let filter = sessions[call.client] else { throw BlueZError.failed("No discovery started") }
        call.reply()
        endDiscovery(of: call.client)
        // BlueZ 5.66, discovery_remove: the client's next scan has its filter again.
        filters[call.client] = filter
    }

    func endDiscovery(of client: String) {
        guard sessions.removeValue(forKey: client) != nil, !isDiscovering else { return }
        discoveryEnded()
    }

    func endAllDiscovery() {
        filters = [:]
        guard isDiscovering else { return }
        sessions = [:]
        discoveryEnded()
    }

    private func discoveryEnded() {
        let wasListening = isListening
        listen(false)
        for device in devices.reversed() {
            device.forgetStrength()
            // BlueZ 5.66, discovery_cleanup: what cannot be connected again is not kept.
            if device.isTemporary && !device.isConnected && !device.canBeKept { remove(device) }
        }
        if wasListening { changed("Discovering") }
    }

    // MARK: The radio

    /// Without any filter bluetoothd listens for 10.24 s and then leaves the radio to others for 5 s, again and again.
    private func resumeListening() {
        if !isListening {
            listen(true)
            changed("Discovering")
        }
        pausing?.cancel()
        guard !sessions.values.contains(where: { $0 != nil }) else { return }
        pausing = host.loop.schedule(after: .milliseconds(10_240)) { [weak self] in self?.pauseListening() }
    }

    private func pauseListening() {
        listen(false)
        changed("Discovering")
        pausing = host.loop.schedule(after: .seconds(5)) { [weak self] in self?.resumeListening() }
    }

    func listen(_ on: Bool) {
        isListening = on
        pausing?.cancel()
        host.air.listening(self, on)
    }

    func received(_ packet: Packet, from peripheral: Peripheral) {
        if faults.happens(.scanDies) { return }
        let address = recognizedAddress(of: peripheral)
        let filters = sessions.values
        guard filters.contains(where: { $0?.matches(packet.advertisement, from: address) ?? packet.isDiscoverable })
        else { return }
        let known = self.device(address)
        // A device whose address has changed keeps its path, and bluetoothd makes no second object there.
        if known == nil && tree[DeviceObject.path(of: address, at: self)] != nil { return }
        let device = known ?? DeviceObject(peripheral, address, at: self)
        device.received(
            packet, isFiltered: filters.contains { $0 != nil },
            withDuplicates: filters.contains { $0?.wantsDuplicates ?? false })
        if known == nil { add(device) }
    }

    /// The address by which the kernel tells of a peripheral: the one in the packet, unless it has the keys for another.
    private func recognizedAddress(of peripheral: Peripheral) -> Address {
        guard let identity = peripheral.model.identity, host.storage[model.address, identity]?.isBonded == true else {
            return peripheral.address
        }
        return identity
    }

    func removeDevice(_ call: Call) throws(DBusError) {
        let path = call.arguments[0].text ?? ""
        guard let device = devices.first(where: { $0.path == path }) else { throw BlueZError.doesNotExist }
        guard isPowered else { throw BlueZError.notReady }
        device.isLeaving = true
        let isConnected = device.isConnected
        device.disconnect { [weak self, weak device] in
            // A device with a link goes when that has ended, whoever ends it: after the answer.
            if !isConnected, let self, let device { forget(device) }
            call.reply()
        }
    }
}
