import Bluetooth
package import Configuration
import Contract

extension Roster {
    /// The devices of the fleet, and the changes at run time that cannot be applied.
    package struct Outcome: Sendable {
        package var list = Configuration.DeviceList()
        /// The conflicts by the device's name.
        package var conflicts: [String: Conflict] = [:]

        /// The number of characteristics of the added devices, with those of their profiles.
        fileprivate private(set) var addedCharacteristics = 0

        /// Counts the characteristics of an added device.
        ///
        /// - Returns: Whether all added devices are within the limit.
        fileprivate mutating func admit(_ added: Configuration.Device) -> Bool {
            let count = addedCharacteristics + added.characteristics.count
            guard count <= RosterLimit.allCharacteristics else { return false }
            addedCharacteristics = count
            return true
        }

        fileprivate mutating func add(_ device: Configuration.Device, orSay fate: String) {
            do throws(EntryError) {
                try list.add(device)
            } catch {
                conflicts[device.name] = Conflict(fate: fate, cause: "\(error)")
            }
        }

        /// Adds an adopted device; if its name is in use, its address is appended to the name.
        fileprivate mutating func add(adopted device: Configuration.Device) {
            do throws(EntryError) {
                try list.add(device)
            } catch {
                let renamed = device.withDistinctName
                let cause = "\(error)"
                add(renamed, orSay: "the adopted device is ignored")
                guard conflicts[renamed.name] == nil else { return }
                conflicts[renamed.name] = Conflict(fate: "the adopted device has its address in its name", cause: cause)
            }
        }
    }

    /// A change at run time that conflicts with the rest of the fleet.
    package struct Conflict: Equatable, Sendable, CustomStringConvertible {
        /// The consequence of the conflict for the device.
        package let fate: String
        /// The cause of the conflict.
        package let cause: String

        package var description: String { "\(fate): \(cause)" }
    }

    /// Returns the devices of the configuration file with the changes at run time; `entries` reads the added devices.
    package func devices(_ entries: EntryReader) -> Outcome {
        let configuration = entries.configuration
        var outcome = Outcome()
        let listed = configuration.devices.filter { removed[$0.name] != $0.address }.map { device in
            withOptions(device, entries, &outcome)
        }
        // Devices that keep their names take precedence.
        for device in listed where newName(of: device) == nil {
            outcome.add(device, orSay: "it conflicts with another device")
        }
        for device in listed {
            if let name = newName(of: device) { rename(device, name, &outcome) }
        }
        for addition in added { take(addition, entries, &outcome) }
        for device in adoptedInOrder {
            if let adopted = self.device(device, configuration.fleet, outcome.list) {
                outcome.add(adopted: withOptions(adopted, entries, &outcome))
            }
        }
        return outcome
    }

    /// The adopted devices in an order that is the same on all gateways: of two devices with one name, the first one keeps it.
    private var adoptedInOrder: [AdoptedDevice] {
        guard !revisions.isEmpty else { return adopted }
        let passedOn = adopted.filter { revisions[$0.address] != nil }
        return passedOn.sorted { $0.address.value < $1.address.value } + ownAdoptions
    }

    /// Returns a device with its options; without them if they conflict with the configuration.
    private func withOptions(
        _ device: Configuration.Device, _ entries: EntryReader, _ outcome: inout Outcome
    ) -> Configuration.Device {
        guard let options = options[device.address] else { return device }
        do throws(EntryError) {
            return try entries.device(device, options: options).device
        } catch {
            let fate = "the options that were set at run time are ignored"
            outcome.conflicts[device.name] = Conflict(fate: fate, cause: "\(error)")
            return device
        }
    }

    /// Returns the new name of a device in the configuration file; nil if the device was not renamed.
    private func newName(of device: Configuration.Device) -> String? {
        guard let renaming = renamed[device.name], renaming.address == device.address else { return nil }
        return renaming.name
    }

    private func rename(_ device: Configuration.Device, _ name: String, _ outcome: inout Outcome) {
        do throws(EntryError) {
            try outcome.list.add(
                Configuration.Device(name: name, address: device.address, settings: device.settings))
        } catch {
            let fate = "\(device.name) was renamed at run time, but keeps the name in the configuration file"
            outcome.conflicts[name] = Conflict(fate: fate, cause: "\(error)")
            outcome.add(device, orSay: "it conflicts with another device")
        }
    }

    private func take(_ addition: Addition, _ entries: EntryReader, _ outcome: inout Outcome) {
        let fate = "the device that was added at run time is ignored"
        do throws(EntryError) {
            let device = try entries.device(of: addition)
            guard outcome.admit(device) else {
                entries.forget(addition)
                return outcome.conflicts[addition.name] = Conflict(fate: fate, cause: Self.tooManyCharacteristics)
            }
            try outcome.list.add(withOptions(device, entries, &outcome))
        } catch {
            outcome.conflicts[addition.name] = Conflict(fate: fate, cause: "\(error)")
        }
    }

    /// Returns the configuration of an adopted device; nil if no fleet rule matches it any more, if it was removed, or
    /// if the list contains its address.
    private func device(
        _ device: AdoptedDevice, _ rules: [Configuration.FleetRule], _ list: Configuration.DeviceList
    ) -> Configuration.Device? {
        guard !list.contains(device.address), !removed.values.contains(device.address) else { return nil }
        return rules.device(of: device)
    }
}
