import Bluetooth
import Codec

extension Configuration {
    /// Reports conflicts between devices.
    static func check(_ entries: [Named<DeviceEntry>], _ mistakes: Mistakes) {
        checkAddresses(of: entries, mistakes)
        checkTopics(of: entries, mistakes)
    }

    /// Reports devices with the same address.
    private static func checkAddresses(of entries: [Named<DeviceEntry>], _ mistakes: Mistakes) {
        var owners: [Address: (name: String, position: Position)] = [:]
        for entry in entries {
            guard let address = entry.value.address else { continue }
            guard let other = owners[address.value] else {
                owners[address.value] = (entry.name, entry.position)
                continue
            }
            let place = mistakes.place(other.position, seenFrom: address.position)
            mistakes.report(
                "duplicate address \(address.value): device \(other.name.quotedForMessage) in \(place) has it; remove one "
                    + "of them", at: address.position)
        }
    }

    /// Warns about fleet rules for the address of a device that is listed.
    ///
    /// - Parameters:
    ///   - rules: The list of rules in the file; nil if there is none.
    ///   - entries: The devices.
    ///   - mistakes: Collects the warnings.
    static func checkRules(_ rules: YAMLNode?, _ entries: [Named<DeviceEntry>], _ mistakes: Mistakes) {
        guard case .sequence(let rules)? = rules?.content else { return }
        for rule in rules {
            guard let node = rule["match"]?["address"], case .scalar(let text, _) = node.content,
                let address = Address(text), let entry = entries.first(where: { $0.value.address?.value == address })
            else { continue }
            let place = mistakes.place(entry.position, seenFrom: node.position)
            mistakes.warn(
                "this rule has no effect: device \(entry.name.quotedForMessage) in \(place) has the address \(address)",
                at: node.position)
        }
    }

    /// Reports devices, characteristics and advertised fields that would share a topic.
    private static func checkTopics(of entries: [Named<DeviceEntry>], _ mistakes: Mistakes) {
        var owners = TopicOwners()
        for entry in entries {
            if let conflict = owners.conflict(ofDevice: entry.name) { mistakes.report(conflict, at: entry.position) }
            owners.addDevice(entry.name)
        }
        for entry in entries {
            var shared: Set<String> = []
            let characteristics = entry.value.characteristics.compactMap { characteristic -> Located<String>? in
                // The second of several entries with one topic causes no conflict.
                if let name = characteristic.value?.sharedName, !shared.insert(name).inserted { return nil }
                return Located(characteristic.value?.topicName ?? characteristic.name, at: characteristic.position)
            }
            for name in characteristics + entry.value.calculatedAndAdvertised where !TopicName.isReserved(name.value) {
                let conflict = owners.add(name.value, of: entry.name)
                if let conflict { mistakes.report(conflict, at: name.position) }
            }
        }
    }
}
