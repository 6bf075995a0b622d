import Bluetooth
import Codec

extension Configuration {
    /// Reports what does not go together among devices.
    static func check(_ entries: [Named<DeviceEntry>], _ mistakes: Mistakes) {
        checkAddresses(of: entries, mistakes)
        checkTopics(of: entries, mistakes)
    }

    /// Reports devices that are one and the same peripheral.
    private static func checkAddresses(of entries: [Named<DeviceEntry>], _ mistakes: Mistakes) {
        var names: [Address: String] = [:]
        for entry in entries {
            guard let address = entry.value.address else { continue }
            guard let other = names[address.value] else {
                names[address.value] = entry.name
                continue
            }
            mistakes.report(
                "\(address.value) is the address of \(other.quotedForMessage) already", at: address.position)
        }
    }

    /// Reports devices, and what they tell, that would share a topic.
    private static func checkTopics(of entries: [Named<DeviceEntry>], _ mistakes: Mistakes) {
        var owners = TopicOwners()
        for entry in entries {
            if let clash = owners.clash(ofDevice: entry.name) { mistakes.report(clash, at: entry.position) }
            owners.addDevice(entry.name)
        }
        for entry in entries {
            let characteristics = entry.value.characteristics.map { Located($0.name, at: $0.position) }
            for name in characteristics + entry.value.advertised where !TopicName.isTaken(name.value) {
                let clash = owners.add(name.value, of: entry.name)
                if let clash { mistakes.report(clash, at: name.position) }
            }
        }
    }
}
