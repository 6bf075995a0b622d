import Devices
import Configuration
import JSON

/// The payload of the gateway's topic `devices`: all devices that the gateway manages.
struct DeviceList {
    let configuration: Configuration
    let roster: Roster
    let devices: [Configuration.Device]

    /// The origin of a device.
    private enum Source: String {
        /// The configuration file lists it.
        case configuration
        /// The request `device/add` added it.
        case added
        /// A fleet rule adopted it.
        case adopted
    }

    var json: JSON {
        let list = devices.sorted { $0.name < $1.name }.map { device -> JSON in
            var members: JSON.Object = [
                "name": .string(device.name), "address": .string("\(device.address)"),
                "source": .string(source(of: device).rawValue), "connect": .string(device.connect.text),
            ]
            members.add("options", roster.options[device.address].map { JSON.object($0) })
            return .object(members)
        }
        return ["devices": .array(list), "removed": .array(roster.removed.keys.sorted().map { .string($0) })]
    }

    private func source(of device: Configuration.Device) -> Source {
        if configuration.devices.contains(where: { $0.address == device.address }) { return .configuration }
        return roster.adopted.contains { $0.address == device.address } ? .adopted : .added
    }
}
