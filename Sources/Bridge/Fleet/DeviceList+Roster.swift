import Configuration
import Contract
import Devices

extension DeviceList {
    /// Creates the list of the devices that the gateway manages.
    ///
    /// - Parameters:
    ///   - configuration: the configuration file.
    ///   - roster: the changes of the fleet at run time.
    ///   - devices: the devices that the gateway manages.
    init(configuration: Configuration, roster: Roster, devices: [Configuration.Device]) {
        let entries = devices.map { device in
            Entry(
                name: device.name, address: device.address,
                source: Source(of: device, in: configuration, roster), connect: device.connect.text,
                options: roster.options[device.address])
        }
        self.init(devices: entries, removed: Array(roster.removed.keys))
    }
}

extension DeviceList.Source {
    fileprivate init(of device: Configuration.Device, in configuration: Configuration, _ roster: Roster) {
        if configuration.devices.contains(where: { $0.address == device.address }) {
            self = .configuration
        } else {
            self = roster.adopted.contains { $0.address == device.address } ? .adopted : .added
        }
    }
}
