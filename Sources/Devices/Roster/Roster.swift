package import Bluetooth
package import Configuration
package import Contract
package import JSON

/// The changes of the fleet at run time: added, adopted, renamed and removed devices, and options of devices.
///
/// The user's configuration file is never rewritten, and it takes precedence over the roster. Only this file writes
/// the stored properties.
package struct Roster: Equatable, Sendable {
    /// An added device, with its entry as the client sent it.
    package struct Addition: Equatable, Sendable {
        package let name: String
        package let entry: JSON.Object
        /// The size of the entry, in bytes of JSON.
        package let size: Int
        /// The address in the entry; nil if it has none.
        package var address: Address? { entry["address"]?.string.flatMap { Address($0) } }
        /// The number of characteristics in the entry, without those of a profile.
        package let characteristicCount: Int

        package init(name: String, entry: JSON.Object) {
            self.name = name
            self.entry = entry
            characteristicCount = entry["characteristics"]?.object?.count ?? 0
            size = JSON.object(entry).description.utf8.count
        }
    }

    /// The new name of a device that the configuration file lists.
    ///
    /// It applies as long as the file lists the device with this address.
    package struct Renaming: Equatable, Sendable {
        package let address: Address
        package let name: String

        package init(address: Address, name: String) {
            self.address = address
            self.name = name
        }
    }

    /// The settings that replace those of the configuration of a device.
    package struct Options: Equatable, Sendable {
        package let settings: JSON.Object
        /// The size of the settings, in bytes of JSON.
        package let size: Int

        package init(_ settings: JSON.Object) {
            self.settings = settings
            size = JSON.object(settings).description.utf8.count
        }
    }

    package private(set) var added: [Addition] = []
    /// The adopted devices, in the order of adoption.
    package private(set) var adopted: [AdoptedDevice] = []
    /// The new names of devices, by their names in the configuration file.
    package private(set) var renamed: [String: Renaming] = [:]
    /// The addresses of removed devices that the configuration file lists or a fleet rule would adopt, by name.
    package private(set) var removed: [String: Address] = [:]
    /// The identity addresses of removed devices, by their addresses in the configuration file.
    package private(set) var identities: [Address: Address] = [:]
    /// The options of devices, by address.
    package private(set) var options: [Address: Options] = [:]
    /// The revisions of the devices whose changes all gateways get that share them; also of removed devices.
    package private(set) var revisions: [Address: FleetRevision] = [:]

    package init() {}

    /// The name of its file in the state folder.
    package static let fileName = "devices.json"
}

extension Roster {
    /// Loads the roster of an earlier run; damaged parts are left out.
    package init(_ json: JSON) {
        for member in json["added"]?.object ?? [:] {
            if let entry = member.value.object { added.append(Addition(name: member.name, entry: entry)) }
        }
        adopted = (json["adopted"]?.array ?? []).compactMap { AdoptedDevice($0) }
        for member in json["renamed"]?.object ?? [:] {
            guard let address = member.value["address"]?.string.flatMap({ Address($0) }),
                let name = member.value["name"]?.string
            else { continue }
            renamed[member.name] = Renaming(address: address, name: name)
        }
        for member in json["removed"]?.object ?? [:] {
            removed[member.name] = member.value.string.flatMap { Address($0) }
        }
        for member in json["identities"]?.object ?? [:] {
            if let address = Address(member.name) { identities[address] = member.value.string.flatMap { Address($0) } }
        }
        for member in json["options"]?.object ?? [:] {
            if let address = Address(member.name) { options[address] = member.value.object.map(Options.init) }
        }
        for member in json["revisions"]?.object ?? [:] {
            if let address = Address(member.name) { revisions[address] = FleetRevision(member.value) }
        }
    }

    package var json: JSON {
        let renamed = renamed.sorted { $0.key < $1.key }.map { name, renaming -> (String, JSON) in
            (name, ["address": .text(renaming.address), "name": .string(renaming.name)])
        }
        let removed = removed.sorted { $0.key < $1.key }.map { ($0.key, JSON.text($0.value)) }
        let options = options.sorted { $0.key.value < $1.key.value }.map {
            ("\($0.key)", JSON.object($0.value.settings))
        }
        let identities = identities.sorted { $0.key.value < $1.key.value }.map {
            ("\($0.key)", JSON.text($0.value))
        }
        var members: JSON.Object = [
            "added": .object(JSON.Object(added.map { ($0.name, .object($0.entry)) })),
            "adopted": .array(adopted.map(\.json)), "renamed": .object(JSON.Object(renamed)),
            "removed": .object(JSON.Object(removed)), "identities": .object(JSON.Object(identities)),
            "options": .object(JSON.Object(options)),
        ]
        if !revisions.isEmpty {
            let revisions = revisions.sorted { $0.key.value < $1.key.value }.map { ("\($0.key)", $0.value.json) }
            members["revisions"] = .object(JSON.Object(revisions))
        }
        return .object(members)
    }
}

// MARK: - Requests

/// The changes by requests at this gateway.
extension Roster {
    /// Restores a removed device that the configuration file lists, or that a fleet rule adopts when it is seen again.
    ///
    /// - Parameters:
    ///   - name: The name of the device.
    ///   - configuration: The present configuration.
    /// - Returns: Whether such a device was removed; if not, nothing has changed.
    package mutating func restore(_ name: String, with configuration: Configuration) -> Bool {
        guard let address = removed[name] else { return false }
        if let listed = configuration.devices.first(where: { $0.name == name }) {
            guard listed.address == address else { return false }
            identities[address] = nil
        }
        removed[name] = nil
        return true
    }

    /// Adds a device.
    ///
    /// The entry replaces an earlier removal or adoption of the device. Options of an earlier device with this address stay
    /// if they fit the entry.
    ///
    /// - Parameters:
    ///   - addition: The name and the entry of the device.
    ///   - device: The device of the entry.
    ///   - isNameInUse: Whether the fleet has a device of this name. If not, an earlier addition of this name is dropped: it
    ///     conflicts with the configuration.
    ///   - entries: The reader of the options.
    package mutating func add(
        _ addition: Addition, of device: Configuration.Device, isNameInUse: Bool, _ entries: EntryReader
    ) {
        removed = removed.filter { $0.value != device.address }
        adopted.removeAll { $0.address == device.address }
        if !isNameInUse { added.removeAll { $0.name == addition.name } }
        added.append(addition)
        if let former = options[device.address], !Self.fit(former, device, entries) { options[device.address] = nil }
    }

    private static func fit(_ options: Options, _ device: Configuration.Device, _ entries: EntryReader) -> Bool {
        do throws(EntryError) {
            _ = try entries.device(device, options: options)
            return true
        } catch {
            return false
        }
    }

    /// Removes the additions with a name.
    ///
    /// - Returns: Whether there was one.
    package mutating func removeAddition(named name: String) -> Bool {
        let count = added.count
        added.removeAll { $0.name == name }
        return added.count < count
    }

    /// Removes a device of the fleet; its options stay, because it can be added or restored later.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - identity: The identity address of the device; nil: not known.
    ///   - configuration: The present configuration.
    package mutating func remove(
        _ device: Configuration.Device, identity: Address?, with configuration: Configuration
    ) {
        added.removeAll { $0.name == device.name }
        adopted.removeAll { $0.address == device.address }
        if let listed = configuration.devices.first(where: { $0.address == device.address }) {
            renamed[listed.name] = nil
            removed[listed.name] = device.address
            identities[device.address] = identity
        } else if configuration.fleet.contains(where: { $0.mayAdmit(device.address) }) {
            // Otherwise a fleet rule would adopt the device again with its next advertisement.
            removed[device.name] = device.address
        }
    }

    /// Renames a device of the fleet.
    ///
    /// - Parameters:
    ///   - device: The device with its present name.
    ///   - newName: The new name; the name in the configuration file ends the renaming.
    ///   - configuration: The present configuration.
    package mutating func rename(
        _ device: Configuration.Device, to newName: String, with configuration: Configuration
    ) {
        if let index = added.firstIndex(where: { $0.name == device.name }) {
            added[index] = Addition(name: newName, entry: added[index].entry)
        } else if let index = adopted.firstIndex(where: { $0.address == device.address }) {
            adopted[index].name = newName
            adopted[index].isRenamed = true
        } else if let listed = configuration.devices.first(where: { $0.address == device.address }) {
            renamed[listed.name] =
                listed.name == newName ? nil : Renaming(address: device.address, name: newName)
        }
    }

    /// Changes the options of a device.
    ///
    /// - Parameters:
    ///   - device: The device with its present options.
    ///   - changes: The new values; null restores the setting of the configuration. Other options stay.
    ///   - listed: The addresses of the devices in the configuration file.
    ///   - entries: The reader of the options.
    /// - Returns: All options of the device. Without changes there are no warnings.
    /// - Throws: `RequestError` if the options are invalid or exceed a limit; nothing has changed then.
    package mutating func setOptions(
        of device: Configuration.Device, changedBy changes: JSON.Object, listed: Set<Address>, _ entries: EntryReader
    ) throws(RequestError) -> OptionsResult {
        let settings = Self.options(options[device.address]?.settings ?? [:], changedBy: changes)
        let new = Options(settings)
        if let obstacle = obstacle(toOptions: new, of: device.address, listed: listed) {
            throw RequestError(.badRequest, "\(device.name): \(obstacle)")
        }
        let configured = entries.configured(device.address) ?? device
        let changed: Configuration.DeviceWithOptions
        do throws(EntryError) {
            changed = try entries.device(configured, options: new)
        } catch {
            throw RequestError(.badRequest, "\(device.name): \(error)")
        }
        // The configuration file may contain shorter times.
        if !changes.isEmpty, let problem = Self.problem(with: changed.device), Self.problem(with: configured) == nil {
            throw RequestError(.badRequest, "\(device.name): \(problem)")
        }
        options[device.address] = settings.isEmpty ? nil : new
        return OptionsResult(
            device: device.name, options: settings, warnings: changes.isEmpty ? [] : changed.warnings)
    }
}

// MARK: - Adoptions

extension Roster {
    /// Adopts a device; an earlier adoption of the device ends.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - former: The address of another adopted device that the device replaces; nil: it replaces none.
    mutating func adopt(_ device: AdoptedDevice, inPlaceOf former: Address? = nil) {
        adopted.removeAll { $0.address == former || $0.address == device.address }
        adopted.append(device)
    }

    /// Removes an adopted device for one of another gateway if the maximum is reached.
    ///
    /// - Parameters:
    ///   - address: The address of the device of the other gateway.
    ///   - hasNoValue: Returns whether an adopted device has sent no value.
    package mutating func makeRoom(forAdopted address: Address, replacing hasNoValue: (AdoptedDevice) -> Bool) {
        guard adopted.count >= Self.mostAdopted, !adopted.contains(where: { $0.address == address }),
            let former = replaceableAdoption(where: hasNoValue)
        else { return }
        adopted.removeAll { $0.address == former }
    }
}

// MARK: - Changes for and of other gateways

/// The changes of devices that other gateways get: each device has a revision, and of two changes of one device, the one
/// with the greater revision counts.
extension Roster {
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
        removeChanges(of: address)
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
    package mutating func removeChanges(of address: Address) {
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

// MARK: - Limits

extension Roster {
    /// Removes options of former devices, which are kept for the case that they are added again, if all options exceed their
    /// limit.
    ///
    /// - Parameter listed: The addresses of the devices in the configuration file.
    package mutating func limitFormerOptions(listed: Set<Address>) {
        let known = known(listed: listed)
        var excess = options.values.reduce(-RosterLimit.allOptions) { $0 + $1.size }
        for (address, former) in options where excess > 0 && !known.contains(address) {
            options[address] = nil
            excess -= former.size
        }
    }

    /// Removes what exceeds the limits: additions and options, first the options of former devices.
    ///
    /// - Parameter listed: The addresses of the devices in the configuration file.
    /// - Returns: The removed additions and options.
    package mutating func removeExcess(listed: Set<Address>) -> Roster {
        let all = self
        var excess = Roster()
        added = []
        options = [:]
        for addition in all.added {
            if Self.problem(with: addition) == nil, obstacle(toAdding: addition) == nil {
                added.append(addition)
            } else {
                excess.added.append(addition)
                // Other gateways that share the device publish it again.
                if let address = addition.address { revisions[address] = nil }
            }
        }
        let known = known(listed: listed)
        var space = RosterLimit.allOptions
        let order = { (address: Address) in (known.contains(address) ? 0 : 1, address.value) }
        for (address, stored) in all.options.sorted(by: { order($0.key) < order($1.key) }) {
            if stored.size <= min(space, RosterLimit.options) {
                options[address] = stored
                space -= stored.size
            } else {
                excess.options[address] = stored
            }
        }
        return excess
    }
}
