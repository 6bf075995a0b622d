package import Bluetooth
import Codec

extension Configuration {
    /// Devices that can stand beside each other: no two of one name, one address, or with a topic in common.
    package struct DeviceList: Sendable {
        package private(set) var devices: [Device] = []
        private var addresses: [Address: String] = [:]
        private var owners = TopicOwners()
        private var names: Set<String> = []

        package init() {}

        /// Takes a device in.
        ///
        /// - Throws: `EntryError`, and leaves the list as it is, when the device cannot stand beside the others.
        package mutating func add(_ device: Device) throws(EntryError) {
            let complaints = complaints(about: device)
            guard complaints.isEmpty else { throw EntryError(complaints: complaints) }
            devices.append(device)
            names.insert(device.name)
            addresses[device.address] = device.name
            owners.addDevice(device.name)
            for name in device.namesOfTopics { _ = owners.add(name, of: device.name) }
        }

        package func contains(_ address: Address) -> Bool { addresses[address] != nil }

        /// Whether a device has this name.
        package func contains(name: String) -> Bool { names.contains(name) }

        private func complaints(about device: Device) -> [String] {
            var complaints: [String] = []
            if let complaint = TopicName.complaint(aboutDevice: device.name) { complaints.append(complaint) }
            if names.contains(device.name) {
                return complaints + ["there is a device \(device.name.quotedForMessage) already"]
            }
            if let other = addresses[device.address] {
                complaints.append("\(device.address) is the address of \(other.quotedForMessage) already")
            }
            let clashes =
                [owners.clash(ofDevice: device.name)]
                + device.namesOfTopics.map { owners.clash(of: $0, of: device.name) }
            return complaints + clashes.compactMap { $0 }
        }
    }
}
