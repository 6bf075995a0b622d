package import Bluetooth
package import Contract

/// The changes of devices that other gateways get: each device has a revision, and of two changes of one device, the one
/// with the greater revision counts.
extension Roster {
    /// The number of removed devices whose revisions are kept.
    ///
    /// A gateway that was away for a longer time brings a removed device back.
    package static let mostRemoved = 1000

    /// The changes of each device at run time, by address.
    package var deviceChanges: [Address: DeviceChange] {
        var changes: [Address: DeviceChange] = [:]
        for addition in added {
            if let address = addition.address { changes[address, default: DeviceChange()].added = addition }
        }
        for device in adopted {
            changes[device.address, default: DeviceChange()].adopted = device
        }
        for (listedName, renaming) in renamed {
            changes[renaming.address, default: DeviceChange()].renamed =
                DeviceChange.Renaming(listedName: listedName, name: renaming.name)
        }
        for (name, address) in removed {
            changes[address, default: DeviceChange()].removed = name
            changes[address]?.identity = identities[address]
        }
        for (address, options) in options { changes[address, default: DeviceChange()].options = options.settings }
        return changes
    }

    /// The adopted devices that only this gateway has.
    ///
    /// An adopted device gets its first revision when it has sent a value, or when a request changes it.
    package var ownAdoptions: [AdoptedDevice] { adopted.filter { revisions[$0.address] == nil } }

    /// Gives a revision to adopted devices: other gateways get them.
    ///
    /// - Parameters:
    ///   - names: The names of the devices, by address.
    ///   - revision: The revision.
    package mutating func passOn(_ names: [Address: String], as revision: FleetRevision) {
        for (index, device) in adopted.enumerated() {
            guard let name = names[device.address] else { continue }
            adopted[index].name = name
            revisions[device.address] = revision
        }
    }

    /// Gives a revision to each device that a change at this gateway has changed.
    ///
    /// - Parameters:
    ///   - old: The roster before the change.
    ///   - revision: The new revision.
    ///   - isShared: Returns whether other gateways share the device with an address.
    /// - Returns: The addresses of the devices with the new revision.
    package mutating func revise(
        after old: Roster, as revision: FleetRevision, whereShared isShared: (Address) -> Bool
    ) -> [Address] {
        let (before, after) = (old.deviceChanges, deviceChanges)
        let changed = Set(before.keys).union(after.keys).filter { address in
            before[address] != after[address] && (revisions[address] != nil || isShared(address))
        }
        for address in changed { revisions[address] = revision }
        forgetRemoved()
        return changed.sorted { $0.value < $1.value }
    }

    /// Gives a revision to the changes from before the device was shared: each change of another gateway counts more.
    package mutating func reviseFormerChanges(of gateway: String, whereShared isShared: (Address) -> Bool) {
        for (address, change) in deviceChanges
        where revisions[address] == nil && change.isByRequest && isShared(address) {
            revisions[address] = FleetRevision(number: 0, gateway: gateway)
        }
    }

    /// Applies a change of another gateway.
    ///
    /// Of two additions with one name, the one with the greater revision counts, on each gateway.
    ///
    /// - Returns: The address and the name of an addition that the change replaces; nil: it replaces none.
    @discardableResult
    package mutating func apply(
        _ change: DeviceChange, of address: Address, _ revision: FleetRevision
    ) -> Addition? {
        let replacesAdoption = change.added != nil || change.removed != nil || change.adopted != nil
        if replacesAdoption || revisions[address] != nil { adopted.removeAll { $0.address == address } }
        remove(address)
        revisions[address] = revision
        identities[address] = change.identity
        options[address] = change.options.map(Options.init)
        if let renaming = change.renamed {
            renamed[renaming.listedName] = Renaming(address: address, name: renaming.name)
        }
        if let name = change.removed { removed[name] = address }
        if let device = change.adopted { adopted.append(device) }
        var rival: Addition?
        if let addition = change.added {
            rival = added.first { $0.name == addition.name }
            let rivalRevision = rival?.address.flatMap { revisions[$0] }
            if let rivalRevision, rivalRevision > revision {
                rival = addition
            } else {
                added.removeAll { $0.name == addition.name }
                added.append(addition)
            }
        }
        forgetRemoved()
        return rival
    }

    /// Removes all that requests have changed on a device, except its revision and its adoption.
    package mutating func remove(_ address: Address) {
        added.removeAll { $0.address == address }
        renamed = renamed.filter { $0.value.address != address }
        removed = removed.filter { $0.value != address }
        identities[address] = nil
        options[address] = nil
    }

    /// Forgets the oldest revisions of devices without changes beyond `mostRemoved`.
    private mutating func forgetRemoved() {
        guard revisions.count > Self.mostRemoved else { return }
        let changed = Set(deviceChanges.keys)
        let others = revisions.filter { !changed.contains($0.key) }
        guard others.count > Self.mostRemoved else { return }
        let oldest = others.sorted { ($0.value, $0.key.value) < ($1.value, $1.key.value) }
        for (address, _) in oldest.prefix(others.count - Self.mostRemoved) { revisions[address] = nil }
    }
}
