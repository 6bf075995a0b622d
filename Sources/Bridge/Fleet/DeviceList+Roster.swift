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
    init(configuration: Configuration, roster: Roster, devices: [Device]) {
        let entries = devices.map { managed in
            let device = managed.configuration
            // Another gateway knows the availability of a device that it owns.
            let (availability, since) = managed.enter {
                $0.isPublished ? ($0.status.availability, $0.status.availabilitySince) : (nil, nil)
            }
            return Entry(
                name: device.name, address: device.address,
                source: Source(of: device, in: configuration, roster), profile: device.profile,
                connect: device.connect.text,
                options: roster.options[device.address]?.settings, availability: availability, since: since)
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
