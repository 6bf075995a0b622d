package import Bluetooth
package import Configuration
import Contract
package import JSON
import System

/// The limits of the devices that clients add and of the options that they set.
///
/// They are limits of the memory: a characteristic takes about 3.5 kB, a device with 100 characteristics 0.5 MB. Without limits, a client could fill the memory, also
/// after each restart.
extension Roster {
    /// Returns why an addition exceeds the limits of one entry; nil if it does not.
    package static func problem(with addition: Addition) -> String? {
        if addition.size > RosterLimit.entry {
            return "the entry has \(addition.size) bytes: up to \(RosterLimit.entry) are accepted"
        }
        let count = addition.characteristicCount
        if count > RosterLimit.characteristics {
            return "the entry has \(count) characteristics: up to \(RosterLimit.characteristics) are accepted"
        }
        return nil
    }

    /// Returns why a client must not set these settings: the device is read or connected too often; nil if it is not.
    package static func problem(with device: Configuration.Device) -> String? {
        if case .every(let interval) = device.connect, interval < RosterLimit.pause {
            return "connect: expected at least every \(RosterLimit.pause.text)"
        }
        if let quiet = device.quiet, quiet < RosterLimit.pause {
            return "quiet: expected at least \(RosterLimit.pause.text)"
        }
        let hasty = device.characteristics.first { characteristic in
            guard case .every(let interval)? = characteristic.read else { return false }
            return interval < RosterLimit.interval
        }
        return hasty.map { "characteristics.\($0.name).read: expected at least \(RosterLimit.interval.text)" }
    }

    /// Returns why no entry of this size can be added now; nil if it can.
    package func obstacle(toAdding addition: Addition) -> String? {
        if added.count >= RosterLimit.devices {
            return "\(added.count) devices were added already: \(Self.advice)"
        }
        if added.reduce(addition.size, { $0 + $1.size }) > RosterLimit.entries {
            return "the entries of the added devices would exceed \(RosterLimit.entries >> 10) KiB: \(Self.advice)"
        }
        let count = added.reduce(addition.characteristicCount) { $0 + $1.characteristicCount }
        if count > RosterLimit.allCharacteristics {
            return Self.tooManyCharacteristics
        }
        return nil
    }

    private static let advice = "list devices in the configuration file, or remove some"

    /// The reason why an added device is rejected or ignored if all of them would have too many characteristics.
    package static let tooManyCharacteristics =
        "the added devices would have more than \(RosterLimit.allCharacteristics) characteristics: \(advice)"

    /// Returns why the options of a device cannot be replaced by these; nil if they can.
    ///
    /// - Parameters:
    ///   - new: All options of the device.
    ///   - address: The address of the device.
    /// - Returns: The reason.
    package func obstacle(toOptions new: JSON.Object, of address: Address) -> String? {
        let size = Self.size(of: new)
        if size > RosterLimit.options { return "the options of a device are limited to \(RosterLimit.options) bytes" }
        let others = options.reduce(0) { $1.key == address ? $0 : $0 + Self.size(of: $1.value) }
        guard others + size > RosterLimit.allOptions else { return nil }
        return "the options of all devices would exceed \(RosterLimit.allOptions >> 10) KiB: "
            + "change the configuration file, or remove options of other devices"
    }

    private static func size(of options: JSON.Object) -> Int { JSON.object(options).description.utf8.count }

    /// Removes what exceeds the limits: additions and options, also options of unknown devices.
    ///
    /// - Parameter listed: The addresses of the devices in the configuration file.
    /// - Returns: The removed additions and options.
    package mutating func removeExcess(listed: Set<Address>) -> Roster {
        let all = self
        var excess = Roster()
        added = []
        options = [:]
        for addition in all.added {
            if Self.problem(with: addition) == nil, obstacle(toAdding: addition) == nil {
                added.append(addition)
            } else {
                excess.added.append(addition)
            }
        }
        let known = listed.union(removed.values).union(adopted.map(\.address)).union(added.compactMap(\.address))
        var space = RosterLimit.allOptions
        for (address, settings) in all.options.sorted(by: { $0.key.value < $1.key.value }) {
            let size = Self.size(of: settings)
            if known.contains(address), size <= min(space, RosterLimit.options) {
                options[address] = settings
                space -= size
            } else {
                excess.options[address] = settings
            }
        }
        return excess
    }
}

extension Roster.Addition {
    /// The address in the entry; nil if it has none.
    fileprivate var address: Address? { entry["address"]?.string.flatMap { Address($0) } }
}
