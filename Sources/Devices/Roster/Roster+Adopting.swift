package import Bluetooth
package import Configuration

extension Roster {
    /// The maximum number of adopted devices: a fleet rule that matches more is probably a mistake.
    package static let mostAdopted = 1000

    /// Adopts devices that were seen, each with a unique name.
    ///
    /// - Parameters:
    ///   - sightings: The seen devices.
    ///   - list: The devices of the fleet.
    ///   - rules: The fleet rules.
    ///   - isOpen: Returns whether a rule adopts devices at present.
    ///   - unproven: The addresses of adopted devices that new ones may replace if the maximum is reached, in order.
    /// - Returns: The adopted devices.
    package mutating func adopt(
        _ sightings: [Sighting], into list: Configuration.DeviceList, by rules: [Configuration.FleetRule],
        whichAre isOpen: (Configuration.FleetRule) -> Bool = { _ in true }, replacing unproven: [Address] = []
    ) -> [AdoptedDevice] {
        var list = list
        var replaceable = unproven[...]
        var news: [AdoptedDevice] = []
        for sighting in sightings where !list.contains(sighting.address) {
            guard let device = rules.device(of: sighting, whichAre: isOpen) else { continue }
            guard let named = Self.distinct(device, &list) else { continue }
            var former: Address?
            if adopted.count >= Self.mostAdopted {
                guard let first = replaceable.popFirst() else { break }
                former = first
            }
            let adoptee = AdoptedDevice(name: named.name, address: named.address, sighting.advertisement)
            adopt(adoptee, inPlaceOf: former)
            news.append(adoptee)
        }
        return news
    }

    /// Adds a device to the list; if its name is in use, its address is appended to the name.
    ///
    /// - Returns: The device with the name that was used; nil if neither name can be used.
    private static func distinct(
        _ device: Configuration.Device, _ list: inout Configuration.DeviceList
    ) -> Configuration.Device? {
        for named in [device, device.withDistinctName] {
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
    /// Returns the device that the first matching rule makes; nil if no rule matches, or if this one is not open.
    ///
    /// A device with a private address is never adopted: the address changes every few minutes, and each new address
    /// would be adopted as another device.
    package func device(
        of sighting: Sighting, whichAre isOpen: (Configuration.FleetRule) -> Bool = { _ in true }
    ) -> Configuration.Device? {
        guard !sighting.hasPrivateAddress else { return nil }
        for rule in self {
            guard let device = rule.device(at: sighting.address, advertising: sighting.advertisement) else { continue }
            return isOpen(rule) ? device : nil
        }
        return nil
    }
}

extension [Configuration.FleetRule] {
    /// Returns the configuration of an adopted device; nil if no rule matches it.
    package func device(of device: AdoptedDevice) -> Configuration.Device? {
        let rule = first { $0.match.admits(device.address, device.advertisement, isDecoded: device.isDecoded) }
        return rule.map { Configuration.Device(name: device.name, address: device.address, settings: $0.settings) }
    }
}

extension Configuration.Device {
    /// The device with its address at the end of its name.
    var withDistinctName: Configuration.Device {
        Configuration.Device(
            name: AdoptedDevice.distinctName(name, address), address: address, settings: settings)
    }
}

extension Sighting {
    /// Whether the address changes every few minutes.
    package var hasPrivateAddress: Bool { address.isPrivate(kind) }
}
