import BlueZ
import Bluetooth
import Configuration
import Contract
import Devices
import JSON
import System

/// The requests `device/add`, `device/remove`, `device/rename` and `device/options`.
extension Fleet {
    /// Adds a device, or restores a removed one.
    ///
    /// - Parameters:
    ///   - name: the name of the device.
    ///   - entry: the entry that the device would have in the configuration file; nil restores a removed device.
    /// - Returns: The data of the response.
    /// - Throws: `RequestError` if the entry is invalid, conflicts with the fleet, or cannot be stored.
    func add(_ name: String, _ entry: JSON.Object?) async throws(RequestError) -> JSON {
        var roster = roster
        if let listed = configuration.devices.first(where: { $0.name == name }) {
            guard entry == nil, roster.removed[name] == listed.address else {
                throw RequestError(
                    .invalidValue, "\(name): the configuration file lists the device: change it there, and reload")
            }
            roster.removed[name] = nil
            roster.identities[listed.address] = nil
        } else if entry == nil, roster.removed[name] != nil {
            // A fleet rule adopts the device again when it is seen.
            roster.removed[name] = nil
        } else {
            guard let entry else {
                throw RequestError(.badRequest, "\(name): the entry is missing: give at least the address")
            }
            let addition = Roster.Addition(name: name, entry: entry)
            let device = try checked(addition)
            // The new entry replaces an earlier removal or adoption of the same device.
            roster.removed = roster.removed.filter { $0.value != device.address }
            roster.adopted.removeAll { $0.address == device.address }
            // An earlier addition of this name that conflicts with the configuration is dropped.
            if devices[name] == nil { roster.added.removeAll { $0.name == name } }
            roster.added.append(addition)
        }
        try await apply(roster, for: name)
        return ResponseData.device(name).json
    }

    /// Returns the device of an entry.
    ///
    /// - Throws: `RequestError` if the entry is invalid, or if the limits of added devices are exceeded.
    private func checked(_ addition: Roster.Addition) throws(RequestError) -> Configuration.Device {
        if let problem = Roster.problem(with: addition) {
            throw RequestError(.badRequest, "\(addition.name): \(problem)")
        }
        // `device/rename` rejects such a name with the same code.
        if let problem = TopicName.problem(inDeviceName: addition.name) {
            throw RequestError(.invalidValue, "\(addition.name): \(problem)")
        }
        if let obstacle = roster.obstacle(toAdding: addition) {
            throw RequestError(.busy, "\(addition.name): \(obstacle)")
        }
        let device: Configuration.Device
        do throws(EntryError) {
            device = try check(addition)
        } catch {
            throw RequestError(.badRequest, "\(addition.name): \(error)")
        }
        if let problem = Roster.problem(with: device) {
            throw RequestError(.badRequest, "\(addition.name): \(problem)")
        }
        if let other = name(ofIdentity: device.address) {
            throw RequestError(
                .invalidValue,
                "\(addition.name): duplicate address \(device.address): it is the identity address of device '\(other)'"
            )
        }
        return device
    }

    /// Returns the name of the device that has this identity address and another address in its entry; nil: none.
    ///
    /// The device may have been removed: another entry must not change what the configuration file allows for it.
    private func name(ofIdentity address: Address) -> String? {
        let present = devices.values.first {
            $0.configuration.address != address && identity(of: $0) == address
        }
        return present?.name
            ?? configuration.devices.first {
                roster.removed[$0.name] == $0.address && roster.identities[$0.address] == address
            }?.name
    }

    private func identity(of device: Device) -> Address? {
        device.enter { $0.identityAddress }
    }

    func remove(_ name: String) async throws(RequestError) -> JSON {
        var roster = roster
        if devices[name] == nil, roster.added.contains(where: { $0.name == name }) {
            // The addition conflicted with the configuration, so there is no device.
            roster.added.removeAll { $0.name == name }
            try await apply(roster, for: name)
            return ResponseData.device(name).json
        }
        let identity = identity(of: try self.device(name))
        let device = try self.device(name).configuration
        roster.options[device.address] = nil
        roster.added.removeAll { $0.name == name }
        roster.adopted.removeAll { $0.address == device.address }
        if let listed = configuration.devices.first(where: { $0.address == device.address }) {
            roster.renamed[listed.name] = nil
            roster.removed[listed.name] = device.address
            roster.identities[device.address] = identity
        } else if configuration.fleet.contains(where: { $0.mayAdmit(device.address) }) {
            // Otherwise a fleet rule would adopt the device again with its next advertisement.
            roster.removed[name] = device.address
        }
        try await apply(roster, for: name)
        return ResponseData.device(name).json
    }

    func rename(_ name: String, to newName: String) async throws(RequestError) -> JSON {
        let device = try self.device(name).configuration
        var roster = roster
        if let index = roster.added.firstIndex(where: { $0.name == name }) {
            roster.added[index] = Roster.Addition(name: newName, entry: roster.added[index].entry)
        } else if let index = roster.adopted.firstIndex(where: { $0.address == device.address }) {
            roster.adopted[index].name = newName
            roster.adopted[index].isRenamed = true
        } else if let listed = configuration.devices.first(where: { $0.address == device.address }) {
            roster.renamed[listed.name] =
                listed.name == newName ? nil : Roster.Renaming(address: device.address, name: newName)
        }
        try await apply(roster, for: newName)
        return ResponseData.renamed(newName, was: name).json
    }

    /// Changes options of a device.
    ///
    /// - Parameters:
    ///   - name: the name of the device.
    ///   - changes: the new values; null restores the setting of the configuration. Other options stay.
    /// - Returns: The data of the response, with all options of the device.
    /// - Throws: `RequestError` if there is no such device, or if the options are invalid or cannot be stored.
    func setOptions(of name: String, _ changes: JSON.Object) async throws(RequestError) -> JSON {
        let device = try self.device(name).configuration
        var roster = roster
        var options = roster.options[device.address] ?? [:]
        for change in changes {
            // Without its type, nil would be the JSON value null.
            options[change.name] = change.value.isNull ? JSON?.none : change.value
        }
        if let obstacle = roster.obstacle(toOptions: options, of: device.address) {
            throw RequestError(.badRequest, "\(name): \(obstacle)")
        }
        roster.options[device.address] = nil
        let configured = devices(of: roster).list.devices.first { $0.name == name } ?? device
        let changed: Configuration.Device
        let warnings: [String]
        do throws(EntryError) {
            changed = try entries.device(configured, options: options)
            let text = JSON.object(options).description
            warnings = changes.isEmpty ? [] : try configuration.warnings(about: text, of: configured)
        } catch {
            throw RequestError(.badRequest, "\(name): \(error)")
        }
        // The configuration file may contain shorter times.
        if !changes.isEmpty, let problem = Roster.problem(with: changed), Roster.problem(with: configured) == nil {
            throw RequestError(.badRequest, "\(name): \(problem)")
        }
        if !options.isEmpty { roster.options[device.address] = options }
        if roster != self.roster { try await apply(roster, for: name) }
        return ResponseData.options(options, device: name, warnings: warnings).json
    }

    private func device(_ name: String) throws(RequestError) -> Device {
        guard let device = devices[name] else {
            throw RequestError(unknownDevice: name, among: devices.keys.sorted())
        }
        return device
    }

    /// Applies the roster that results from a request about a device.
    ///
    /// - Throws: `RequestError` if the change causes a conflict or cannot be stored.
    private func apply(_ roster: Roster, for device: String) async throws(RequestError) {
        let before = wanted.conflicts
        let after = devices(of: roster).conflicts
        for (name, conflict) in after.sorted(by: { $0.key < $1.key }) where before[name] == nil || name == device {
            throw RequestError(.invalidValue, "\(name): \(conflict.cause)")
        }
        do throws(SystemError) {
            try await apply(roster)
        } catch {
            throw RequestError(.failed, "\(error): the change was not made")
        }
    }
}
