package import Bluetooth
import Codec

extension Configuration {
    /// A list of devices without conflicts: no two devices have the same name, the same address or a common topic.
    package struct DeviceList: Sendable {
        package private(set) var devices: [Device] = []
        private var addresses: [Address: String] = [:]
        private var owners = TopicOwners()
        private var names: Set<String> = []

        package init() {}

        /// Adds a device.
        ///
        /// - Throws: `EntryError` if the device conflicts with another device. In this case the list is unchanged.
        package mutating func add(_ device: Device) throws(EntryError) {
            let problems = self.problems(with: device)
            guard problems.isEmpty else { throw EntryError(problems: problems) }
            devices.append(device)
            names.insert(device.name)
            addresses[device.address] = device.name
            owners.addDevice(device.name)
            for name in device.topicNames { _ = owners.add(name, of: device.name) }
        }

        package func contains(_ address: Address) -> Bool { addresses[address] != nil }

        private func problems(with device: Device) -> [String] {
            var problems: [String] = []
            if let problem = TopicName.problem(inDeviceName: device.name) { problems.append(problem) }
            if names.contains(device.name) {
                return problems + ["duplicate name \(device.name.quotedForMessage): another device has it"]
            }
            if let other = addresses[device.address] {
                problems.append("duplicate address \(device.address): device \(other.quotedForMessage) has it")
            }
            let conflicts =
                [owners.conflict(ofDevice: device.name)]
                + device.topicNames.map { owners.conflict(of: $0, of: device.name) }
            return problems + conflicts.compactMap { $0 }
        }
    }
}
