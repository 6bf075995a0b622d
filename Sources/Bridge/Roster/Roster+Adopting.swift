internal import BlueZ
internal import Bluetooth
internal import Configuration

extension Roster {
    /// So many devices are adopted; a rule that matches more was not meant so.
    static let mostAdopted = 1000

    /// Takes in devices that were heard, each under a name that no other has.
    ///
    /// - Returns: the devices as they were taken in.
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

    /// Adds a device to the list: under its name or, where another one has that, with its address after it.
    private static func distinct(
        _ device: Configuration.Device, _ list: inout Configuration.DeviceList
    ) -> Configuration.Device? {
        let names = [device.name, "\(device.name)_\(device.address)"]
        for name in names {
            let named = Configuration.Device(name: name, address: device.address, treatment: device.treatment)
            do throws(EntryError) {
                try list.add(named)
                return named
            } catch {
                // The next name is tried.
            }
        }
        return nil
    }
}

extension [Configuration.FleetRule] {
    /// The device that the first matching rule makes of what was heard; nil where none does.
    ///
    /// A device whose address changes every few minutes would be another one each time.
    func device(of sighting: Sighting) -> Configuration.Device? {
        guard !sighting.hasPrivateAddress else { return nil }
        return lazy.compactMap { $0.device(at: sighting.address, advertising: sighting.advertisement) }.first
    }
}

extension Sighting {
    /// Whether the address changes: the two highest bits tell such random ones from static ones (Core Specification,
    /// Vol 6, Part B, 1.3.2).
    var hasPrivateAddress: Bool { kind == .random && address.value >> 46 != 0b11 }
}
