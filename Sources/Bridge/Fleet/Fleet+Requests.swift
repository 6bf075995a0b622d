import BlueZ
import Bluetooth
import Codec
import Configuration
import Contract
import Devices
import EventLoop
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
        try checkHasDevices()
        var roster = roster
        let isRestored = entry == nil && roster.restore(name, with: configuration)
        if !isRestored {
            if configuration.devices.contains(where: { $0.name == name }) {
                throw RequestError(
                    .invalidValue, "\(name): the configuration file lists the device: change it there, and reload")
            }
            guard let entry else {
                throw RequestError(.badRequest, "\(name): the entry is missing: give at least the address")
            }
            let addition = Roster.Addition(name: name, entry: entry)
            let device = try checked(addition, among: roster)
            roster.add(addition, of: device, isNameInUse: devices[name] != nil, entries)
        }
        try await apply(roster, for: [name])
        return ResponseData.device(name).json
    }

    /// Returns the device of an entry.
    ///
    /// - Parameters:
    ///   - addition: The entry.
    ///   - roster: The roster with the other added devices.
    /// - Returns: The device with the profiles of the configuration.
    /// - Throws: `RequestError` if the entry is invalid, or if the limits of added devices are exceeded.
    func checked(_ addition: Roster.Addition, among roster: Roster) throws(RequestError) -> Configuration.Device {
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
        try checkHasDevices()
        var roster = roster
        // An addition that conflicts with the configuration has no device.
        let isIgnoredAddition = devices[name] == nil && roster.removeAddition(named: name)
        if !isIgnoredAddition {
            let device = try self.device(name)
            roster.remove(device.configuration, identity: identity(of: device), with: configuration)
        }
        try await apply(roster, for: [name])
        return ResponseData.device(name).json
    }

    func rename(_ name: String, to newName: String) async throws(RequestError) -> JSON {
        try checkHasDevices()
        let device = try self.device(name).configuration
        var roster = roster
        roster.rename(device, to: newName, with: configuration)
        try await apply(roster, for: [newName])
        return ResponseData.renamed(newName, was: name).json
    }

    /// Changes options of one device or of several devices; an invalid option changes none of them.
    ///
    /// - Parameters:
    ///   - target: the device, or patterns for the names of devices.
    ///   - changes: the new values; null restores the setting of the configuration. Other options stay.
    /// - Returns: The data of the response, with all options of the devices.
    /// - Throws: `RequestError` if there is no such device, or if the options are invalid or cannot be stored.
    func setOptions(of target: OptionsTarget, _ changes: JSON.Object) async throws(RequestError) -> JSON {
        try checkHasDevices()
        var roster = roster
        let listed = Set(configuration.devices.map(\.address))
        var results: [OptionsResult] = []
        for name in try names(of: target) {
            if !results.isEmpty { await loop.yield() }
            let device = configuration(of: try self.device(name))
            results.append(try roster.setOptions(of: device, changedBy: changes, listed: listed, entries))
        }
        roster.limitFormerOptions(listed: listed)
        if roster != self.roster { try await apply(roster, for: results.map(\.device)) }
        switch target {
        case .device: return results.first.map { ResponseData.options($0).json } ?? .object([:])
        case .devices: return ResponseData.optionsOfDevices(results).json
        }
    }

    private func names(of target: OptionsTarget) throws(RequestError) -> [String] {
        switch target {
        case .device(let name): return [name]
        case .devices(let patterns):
            let names = devices.keys.sorted()
            for pattern in patterns where !names.contains(where: pattern.matches) {
                throw RequestError(.unknownDevice, "devices: no device matches \(pattern.pattern.quotedForMessage)")
            }
            return names.filter { name in patterns.contains { $0.matches(name) } }
        }
    }

    private func device(_ name: String) throws(RequestError) -> Device {
        guard let device = devices[name] else {
            throw RequestError(unknownDevice: name, among: devices.keys.sorted())
        }
        return device
    }

    /// - Throws: `RequestError` if this gateway only decides for others.
    private func checkHasDevices() throws(RequestError) {
        guard configuration.onlyDecides else { return }
        throw RequestError(
            .notSupported, "this gateway only decides for others: send the request to a gateway with Bluetooth")
    }

    /// Applies the roster that results from a request about devices.
    ///
    /// - Throws: `RequestError` if the change causes a conflict or cannot be stored.
    private func apply(_ roster: Roster, for changed: [String]) async throws(RequestError) {
        let outcome = devices(of: roster)
        for (name, conflict) in outcome.conflicts.sorted(by: { $0.key < $1.key })
        where conflicts[name] == nil || changed.contains(name) {
            throw RequestError(.invalidValue, "\(name): \(conflict.cause)")
        }
        var roster = roster
        let revised = revise(&roster, outcome.list.devices)
        do throws(SystemError) {
            try await apply(roster, outcome)
        } catch {
            throw RequestError(.failed, "\(error): the change was not made")
        }
        if !revised.isEmpty { changeSharing?.changed(revised) }
    }
}
