import BlueZ
import Bluetooth
import Configuration

extension Roster {
    /// The most devices that are adopted: a rule that matches more is probably a mistake.
    static let mostAdopted = 1000

    /// Adopts devices that were seen, each with a unique name.
    ///
    /// - Returns: The adopted devices.
    mutating func adopt(_ sightings: [Sighting], in configuration: Configuration) -> [AdoptedDevice] {
        var list = devices(in: configuration).list
        var news: [AdoptedDevice] = []
        for sighting in sightings where !list.contains(sighting.address) && adopted.count < Self.mostAdopted {
            guard let device = configuration.fleet.device(of: sighting) else { continue }
            guard let named = Self.distinct(device, &list) else { continue }
            let adoptee = AdoptedDevice(name: named.name, address: named.address, sighting.advertisement)
            adopted.removeAll { $0.address == adoptee.address }
            adopted.append(adoptee)
            news.append(adoptee)
        }
        return news
    }

    /// Adds a device to the list: with its name or, if the name is in use, with its address appended.
    private static func distinct(
        _ device: Configuration.Device, _ list: inout Configuration.DeviceList
    ) -> Configuration.Device? {
        let names = [device.name, "\(device.name)_\(device.address)"]
        for name in names {
            let named = Configuration.Device(name: name, address: device.address, settings: device.settings)
            do throws(EntryError) {
                try list.add(named)
                return named
            } catch {
                // The loop tries the next name.
            }
        }
        return nil
    }
}

extension [Configuration.FleetRule] {
    /// Returns the device that the first matching rule makes; nil if no rule matches.
    ///
    /// A private address changes every few minutes, so each would be another device.
    func device(of sighting: Sighting) -> Configuration.Device? {
        guard !sighting.hasPrivateAddress else { return nil }
        return lazy.compactMap { $0.device(at: sighting.address, advertising: sighting.advertisement) }.first
    }
}

extension Sighting {
    /// Whether the address changes every few minutes.
    var hasPrivateAddress: Bool { address.isPrivate(kind) }
}
