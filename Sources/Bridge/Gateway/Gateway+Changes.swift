internal import BlueZ
internal import Bluetooth
internal import Configuration
internal import EventLoop
internal import JSON
internal import Log

/// Changes of the fleet: one after the other, each of which changes only the devices that it is about.
extension Gateway {
    /// Has a change made when those before it are done.
    func change(_ body: @escaping @Sendable (isolated Gateway) async -> Void) {
        changes.put(body)
    }

    /// Makes the changes as they come, until the gateway stops.
    func makeChanges() async {
        while let body = await changes.next() { await body(self) }
    }

    /// What a change has made of the devices, by their names.
    struct Difference: Sendable {
        var added: [String] = []
        var changed: [String] = []
        var removed: [String] = []

        var json: JSON {
            let lists = [("added", added), ("changed", changed), ("removed", removed)]
            return .object(JSON.Object(lists.map { ($0, .array($1.map { .string($0) })) }))
        }
    }

    /// Makes the devices those of the configuration and of what was changed at run time; those that stay the same are
    /// left alone.
    @discardableResult
    func settleDevices() async -> Difference {
        guard let outlet else { return Difference() }
        let wanted = wantedDevices()
        let new = Dictionary(uniqueKeysWithValues: wanted.map { ($0.name, $0) })
        let gone = devices.filter { new[$0.key] != $0.value.configuration }
        let left = await stop(Array(gone.values), beside: wanted)
        var difference = Difference()
        for device in wanted where devices[device.name] == nil && !isStopping {
            do throws(GatewayError) {
                let added = try add(device, outlet)
                await added.start(bluetoothIsOn: isBluetoothOn)
                if left[device.name] == nil {
                    difference.added.append(device.name)
                } else {
                    difference.changed.append(device.name)
                }
            } catch {
                log.always.error("\(error)")
            }
        }
        difference.removed = left.keys.filter { devices[$0] == nil }.sorted()
        leaving = [:]
        for address in left.values { forget(address) }
        listen(outlet)
        listenToDevices()
        considerAnew()
        tellInfo()
        settleRetained()
        return difference
    }

    /// Lets devices go, all at once; their retained topics are taken away when all is settled.
    ///
    /// - Parameter wanted: those that there are to be from now on.
    /// - Returns: their addresses, by their names.
    private func stop(_ gone: [Device], beside wanted: [Configuration.Device]) async -> [String: Address] {
        for device in gone {
            devices[device.name] = nil
            leaving[device.name] = device
        }
        retained.add(gone.flatMap { $0.assumeIsolated { $0.retainedTopics } })
        await withTaskGroup { group in
            for device in gone {
                let reason = farewell(to: device.configuration, beside: wanted)
                group.addTask(executorPreference: loop.tasks) { await device.stop(because: reason) }
            }
        }
        return Dictionary(uniqueKeysWithValues: gone.map { ($0.name, $0.configuration.address) })
    }

    /// Why a device is let go.
    private func farewell(to device: Configuration.Device, beside wanted: [Configuration.Device]) -> String {
        if wanted.contains(where: { $0.name == device.name }) { return "its configuration has changed" }
        let other = wanted.first { $0.address == device.address }
        return other.map { "it is called \($0.name) now" } ?? "it was removed"
    }

    /// The devices that there are to be; what cannot be is told when that is new.
    func wantedDevices() -> [Configuration.Device] {
        let outcome = rosterStore.roster.devices(in: configuration)
        for (name, conflict) in outcome.conflicts.sorted(by: { $0.key < $1.key }) where conflicts[name] != conflict {
            log.warning("the device \(name): \(conflict)")
            outlet?.announce("device_conflict", device: name, ["reason": .string("\(conflict)")], at: loop.timestamp)
        }
        conflicts = outcome.conflicts
        return outcome.list.devices
    }

    // MARK: Requests

    func add(_ name: String, _ entry: JSON.Object?) async throws(RequestError) -> JSON {
        var roster = rosterStore.roster
        if let listed = configuration.devices.first(where: { $0.name == name }) {
            guard entry == nil, roster.removed[name] == listed.address else {
                throw RequestError(.invalidValue, "\(name): the file lists it: change its entry there, and reload")
            }
            roster.removed[name] = nil
        } else if entry == nil, roster.removed[name] != nil {
            // It is adopted again when it is heard.
            roster.removed[name] = nil
        } else {
            guard let entry else {
                throw RequestError(.badRequest, "\(name): its entry is missing: give the address at least")
            }
            let device = try checked(name, entry)
            // What is added is wanted again.
            roster.removed = roster.removed.filter { $0.value != device.address }
            roster.adopted.removeAll { $0.address == device.address }
            // One that was left out so far has no claim to its name.
            if devices[name] == nil { roster.added.removeAll { $0.name == name } }
            roster.added.append(Roster.Addition(name: name, entry: entry))
        }
        try await apply(roster, for: name)
        return ["device": .string(name)]
    }

    /// The device of an entry, which must stand beside those that there are.
    private func checked(_ name: String, _ entry: JSON.Object) throws(RequestError) -> Configuration.Device {
        do throws(EntryError) {
            return try configuration.device(
                named: name, entry: JSON.object(entry).description, checkingFiles: true)
        } catch {
            throw RequestError(.badRequest, "\(name): \(error)")
        }
    }

    func remove(_ name: String) async throws(RequestError) -> JSON {
        var roster = rosterStore.roster
        if devices[name] == nil, roster.added.contains(where: { $0.name == name }) {
            // It was left out so far.
            roster.added.removeAll { $0.name == name }
            try await apply(roster, for: name)
            return ["device": .string(name)]
        }
        let device = try self.device(name).configuration
        roster.added.removeAll { $0.name == name }
        roster.adopted.removeAll { $0.address == device.address }
        if let listed = configuration.devices.first(where: { $0.address == device.address }) {
            roster.renamed[listed.name] = nil
            roster.removed[listed.name] = device.address
        } else if configuration.fleet.contains(where: { $0.mayAdmit(device.address) }) {
            // Else a rule would take it in again with its next packet.
            roster.removed[name] = device.address
        }
        try await apply(roster, for: name)
        return ["device": .string(name)]
    }

    func rename(_ name: String, to newName: String) async throws(RequestError) -> JSON {
        let device = try self.device(name).configuration
        var roster = rosterStore.roster
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
        return ["device": .string(newName), "was": .string(name)]
    }

    private func device(_ name: String) throws(RequestError) -> Device {
        guard let device = devices[name] else {
            let nearest = name.nearest(in: devices.keys).map { ": did you mean \($0)?" } ?? ""
            throw RequestError(.unknownDevice, "\(name): there is no such device\(nearest)")
        }
        return device
    }

    /// Makes a change for the sake of a device, if it goes together with everything else and can be kept.
    private func apply(_ roster: Roster, for device: String) async throws(RequestError) {
        let before = rosterStore.roster.devices(in: configuration).conflicts
        let after = roster.devices(in: configuration).conflicts
        for (name, conflict) in after.sorted(by: { $0.key < $1.key }) where before[name] == nil || name == device {
            throw RequestError(.invalidValue, "\(name): \(conflict.cause)")
        }
        do throws(EventLoopError) {
            try rosterStore.save(roster)
        } catch {
            throw RequestError(.failed, "\(error): it would not be kept")
        }
        await settleDevices()
    }
}
