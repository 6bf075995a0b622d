internal import Bluetooth
internal import Configuration
internal import JSON

extension Roster {
    /// The devices that there are to be, and what cannot be.
    struct Outcome: Sendable {
        var list = Configuration.DeviceList()
        /// By the device's name.
        var conflicts: [String: Conflict] = [:]

        fileprivate mutating func add(_ device: Configuration.Device, orSay fate: String) {
            do throws(EntryError) {
                try list.add(device)
            } catch {
                conflicts[device.name] = Conflict(fate: fate, cause: "\(error)")
            }
        }
    }

    /// Something that was changed at run time and does not go together with the rest.
    struct Conflict: Equatable, Sendable, CustomStringConvertible {
        /// What becomes of the change.
        let fate: String
        /// With what it does not go together.
        let cause: String

        var description: String { "\(fate): \(cause)" }
    }

    /// The devices of the file with what was changed at run time.
    func devices(in configuration: Configuration) -> Outcome {
        var outcome = Outcome()
        let listed = configuration.devices.filter { removed[$0.name] != $0.address }
        // Those that keep their names have them first.
        for device in listed where newName(of: device) == nil {
            outcome.add(device, orSay: "it cannot stand beside the others")
        }
        for device in listed {
            if let name = newName(of: device) { rename(device, name, &outcome) }
        }
        for addition in added { take(addition, configuration, &outcome) }
        for device in adopted {
            if let adopted = self.device(device, configuration.fleet, outcome.list) {
                outcome.add(adopted, orSay: "it was adopted, and is left out now")
            }
        }
        return outcome
    }

    /// What the file's device is called since it was renamed; nil for one that was not.
    private func newName(of device: Configuration.Device) -> String? {
        guard let renaming = renamed[device.name], renaming.address == device.address else { return nil }
        return renaming.name
    }

    private func rename(_ device: Configuration.Device, _ name: String, _ outcome: inout Outcome) {
        do throws(EntryError) {
            try outcome.list.add(
                Configuration.Device(name: name, address: device.address, treatment: device.treatment))
        } catch {
            let fate = "\(device.name) was renamed at run time, and keeps the file's name"
            outcome.conflicts[name] = Conflict(fate: fate, cause: "\(error)")
            outcome.add(device, orSay: "it cannot stand beside the others")
        }
    }

    private func take(_ addition: Addition, _ configuration: Configuration, _ outcome: inout Outcome) {
        do throws(EntryError) {
            let text = JSON.object(addition.entry).description
            try outcome.list.add(try configuration.device(named: addition.name, entry: text))
        } catch {
            let fate = "it was added at run time, and is left out now"
            outcome.conflicts[addition.name] = Conflict(fate: fate, cause: "\(error)")
        }
    }

    /// What an adopted device is to its rule; nil where no rule wants it any more, or the file lists it by now.
    private func device(
        _ device: AdoptedDevice, _ rules: [Configuration.FleetRule], _ list: Configuration.DeviceList
    ) -> Configuration.Device? {
        guard !list.contains(device.address), !removed.values.contains(device.address),
            let rule = rules.first(where: { $0.match.admits(device.address, device.advertisement) })
        else { return nil }
        return Configuration.Device(name: device.name, address: device.address, treatment: rule.treatment)
    }
}
