import Configuration
import JSON
import System

/// The limits of the devices that clients add and of the options that they set.
///
/// A device with 100 characteristics takes about 0.5 MB of memory. Without limits, a client could fill the memory, also
/// after each restart.
extension Roster {
    enum Limit {
        /// The maximum number of added devices.
        static let devices = 500
        /// The maximum size of one entry, in bytes of JSON.
        static let entry = 16 << 10
        /// The maximum size of all entries, in bytes of JSON.
        static let entries = 1 << 20
        /// The maximum number of characteristics in one entry.
        static let characteristics = 100
        /// The minimum interval at which a characteristic is read.
        static let interval = Configuration.Characteristic.shortestReadInterval
        /// The minimum of `connect: every` and of `quiet`: each connection causes about ten messages.
        static let pause = Duration.seconds(1)
        /// The maximum size of the options of one device, in bytes of JSON.
        static let options = 4 << 10
    }

    /// Returns why an addition exceeds the limits of one entry; nil if it does not.
    static func problem(with addition: Addition) -> String? {
        if addition.size > Limit.entry {
            return "the entry has \(addition.size) bytes: up to \(Limit.entry) are accepted"
        }
        let count = addition.entry["characteristics"]?.object?.count ?? 0
        if count > Limit.characteristics {
            return "the entry has \(count) characteristics: up to \(Limit.characteristics) are accepted"
        }
        return nil
    }

    /// Returns why a client must not set these settings: the device is read or connected too often; nil if it is not.
    static func problem(with device: Configuration.Device) -> String? {
        if case .every(let interval) = device.connect, interval < Limit.pause {
            return "connect: expected at least every \(Limit.pause.text)"
        }
        if let quiet = device.quiet, quiet < Limit.pause { return "quiet: expected at least \(Limit.pause.text)" }
        let hasty = device.characteristics.first { characteristic in
            guard case .every(let interval)? = characteristic.read else { return false }
            return interval < Limit.interval
        }
        return hasty.map { "characteristics.\($0.name).read: expected at least \(Limit.interval.text)" }
    }

    /// Returns why no entry of this size, in bytes of JSON, can be added now; nil if it can.
    func obstacle(toAdding size: Int) -> String? {
        let advice = "list devices in the configuration file, or remove some"
        if added.count >= Limit.devices { return "\(added.count) devices were added already: \(advice)" }
        if added.reduce(size, { $0 + $1.size }) > Limit.entries {
            return "the entries of the added devices would exceed \(Limit.entries >> 10) KiB: \(advice)"
        }
        return nil
    }

    /// Removes the additions that exceed the limits.
    ///
    /// - Returns: The removed additions.
    mutating func removeExcess() -> [Addition] {
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
