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
    ///   - listed: The addresses of the devices in the configuration file.
    /// - Returns: The reason.
    package func obstacle(toOptions new: Options, of address: Address, listed: Set<Address>) -> String? {
        guard new.size <= RosterLimit.options else {
            return "the options of a device are limited to \(RosterLimit.options) bytes"
        }
        let known = known(listed: listed)
        let others = options.reduce(0) {
            $1.key == address || !known.contains($1.key) ? $0 : $0 + $1.value.size
        }
        guard others + new.size > RosterLimit.allOptions else { return nil }
        return "the options of all devices would exceed \(RosterLimit.allOptions >> 10) KiB: "
            + "change the configuration file, or remove options of other devices"
    }

    /// Returns options with changes: null restores a setting.
    ///
    /// The options of characteristics change one by one, too.
    package static func options(_ old: JSON.Object, changedBy changes: JSON.Object) -> JSON.Object {
        var options = old
        for change in changes {
            guard change.name == "characteristics", let named = change.value.object else {
                // Without its type, nil would be the JSON value null.
                options[change.name] = change.value.isNull ? JSON?.none : change.value
                continue
            }
            var characteristics = options[change.name]?.object ?? [:]
            for entry in named {
                var settings = characteristics[entry.name]?.object ?? [:]
                for setting in entry.value.object ?? [:] {
                    settings[setting.name] = setting.value.isNull ? JSON?.none : setting.value
                }
                // A value that is no object is a mistake, which is reported later.
                let value = entry.value.object == nil && !entry.value.isNull ? entry.value : .object(settings)
                let isRestored = entry.value.isNull || value == .object([:])
                characteristics[entry.name] = isRestored ? JSON?.none : value
            }
            options[change.name] = characteristics.isEmpty ? JSON?.none : .object(characteristics)
        }
        return options
    }

    /// The addresses of the devices in the fleet, and of those in the configuration file that were removed.
    func known(listed: Set<Address>) -> Set<Address> {
        listed.union(removed.values).union(adopted.map(\.address)).union(added.compactMap(\.address))
    }
}
