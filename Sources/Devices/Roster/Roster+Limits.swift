package import Configuration
import Contract
import JSON
import System

/// The limits of the devices that clients add and of the options that they set.
///
/// A device with 100 characteristics takes about 0.5 MB of memory. Without limits, a client could fill the memory, also
/// after each restart.
extension Roster {
    /// Returns why an addition exceeds the limits of one entry; nil if it does not.
    package static func problem(with addition: Addition) -> String? {
        if addition.size > RosterLimit.entry {
            return "the entry has \(addition.size) bytes: up to \(RosterLimit.entry) are accepted"
        }
        let count = addition.entry["characteristics"]?.object?.count ?? 0
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

    /// Returns why no entry of this size, in bytes of JSON, can be added now; nil if it can.
    package func obstacle(toAdding size: Int) -> String? {
        let advice = "list devices in the configuration file, or remove some"
        if added.count >= RosterLimit.devices { return "\(added.count) devices were added already: \(advice)" }
        if added.reduce(size, { $0 + $1.size }) > RosterLimit.entries {
            return "the entries of the added devices would exceed \(RosterLimit.entries >> 10) KiB: \(advice)"
        }
        return nil
    }

    /// Removes the additions that exceed the limits.
    ///
    /// - Returns: The removed additions.
    package mutating func removeExcess() -> [Addition] {
        let all = added
        added = []
        var excess: [Addition] = []
        for addition in all {
            if Self.problem(with: addition) == nil, obstacle(toAdding: addition.size) == nil {
                added.append(addition)
            } else {
                excess.append(addition)
            }
        }
        return excess
    }
}
