import Bluetooth
import EventLoop

/// What advertisements make of a device.
extension DeviceObject {
    /// bluetoothd tells of smaller changes only to those who filter.
    private static let strengthStep: Int16 = 8

    /// Whether the address stays the same, and the device takes connections: else it cannot be found again later.
    var canBeKept: Bool { peripheral.model.advertising.isConnectable && !hasPrivateAddress }

    /// Private addresses change every few minutes; the two highest bits tell them from static ones.
    private var hasPrivateAddress: Bool {
        kind == .random && address.value >> 46 != 0b11
    }

    /// Identity addresses are public, or static random ones.
    var kind: AddressKind {
        guard address == peripheral.model.identity else { return peripheral.model.kind }
        return address.value >> 46 == 0b11 ? .random : .public
    }

    func received(_ packet: Packet, isFiltered: Bool, withDuplicates: Bool) {
        lastHeard = host.loop.now
        let advertisement = packet.advertisement
        if let heard = advertisement.localName, heard != name {
            name = heard
            changed("Name")
            if alias == nil { changed("Alias") }
        }
        if let heard = packet.appearance, heard != appearance {
            appearance = heard
            changed("Appearance")
        }
        receivedStrength(packet, isFiltered: isFiltered)
        let new = advertisement.serviceUUIDs.filter { !uuids.contains($0) }
        if !new.isEmpty {
            uuids += new
            changed("UUIDs")
        }
        if Self.merge(advertisement.manufacturerData, into: &manufacturerData, replacing: withDuplicates) {
            changed("ManufacturerData")
        }
        if Self.merge(advertisement.serviceData, into: &serviceData, replacing: withDuplicates) {
            changed("ServiceData")
        }
    }

    private func receivedStrength(_ packet: Packet, isFiltered: Bool) {
        if let power = packet.advertisement.txPowerLevel.map(Int16.init), power != txPower {
            txPower = power
            changed("TxPower")
        }
        if let rssi, !isFiltered, abs(rssi - packet.rssi) < Self.strengthStep { return }
        rssi = packet.rssi
        changed("RSSI")
    }

    /// What was said earlier stays, unless duplicates are wanted; says whether clients hear of it.
    private static func merge<Key>(
        _ new: [Key: [UInt8]], into old: inout [Key: [UInt8]], replacing: Bool
    ) -> Bool {
        if new.isEmpty { return false }
        if replacing {
            old = new
            return true
        }
        let merged = old.merging(new) { $1 }
        defer { old = merged }
        return merged != old
    }

    /// The end of a scan: how strongly it was heard says nothing any more.
    func forgetStrength() {
        if rssi != nil {
            rssi = nil
            changed("RSSI")
        }
        if txPower != nil {
            txPower = nil
            changed("TxPower")
        }
    }

    /// Forgets the device when nothing was heard of it for too long.
    func watchSilence() {
        let rest = host.fleet.temporaryTimeout - (host.loop.now - lastHeard)
        host.loop.schedule(after: rest) { [weak self] in
            guard let self, isTemporary, adapter.device(address) === self else { return }
            if isConnected { lastHeard = host.loop.now }
            if host.loop.now - lastHeard < host.fleet.temporaryTimeout {
                watchSilence()
            } else {
                adapter.remove(self)
            }
        }
    }

    /// The device is kept from now on, if it can be found again.
    func becomePermanent() {
        guard isTemporary, !isLeaving, !hasPrivateAddress || isBonded else { return }
        isTemporary = false
        keep()
    }

    /// The device is kept only for as long as it is heard.
    func becomeTemporary() {
        guard !isTemporary, !isBonded else { return }
        isTemporary = true
        host.storage[adapter.model.address, address] = nil
        watchSilence()
    }
}
