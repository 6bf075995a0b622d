import Bluetooth
import DBus

/// What one client wants to hear of while it scans.
struct DiscoveryFilter {
    var services: [UUID] = []
    /// Part of the address or beginning of the name.
    var pattern: String?
    /// Whether what has not changed is signalled each time.
    var wantsDuplicates = false
    private(set) var keys: [String] = []

    static func knownKeys(of version: BluetoothdVersion) -> [String] {
        ["UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern"]
            + (version.filtersForConnecting ? ["AutoConnect"] : [])
    }

    /// Nil for no filter: an empty dictionary.
    init?(_ options: [String: Variant], of version: BluetoothdVersion) throws(DBusError) {
        if options.isEmpty { return nil }
        let known = Self.knownKeys(of: version)
        for (key, value) in options {
            guard known.contains(key), take(key, value) else { throw BlueZError.invalidArguments }
        }
        if options["RSSI"] != nil && options["Pathloss"] != nil { throw BlueZError.invalidArguments }
        keys = options.keys.sorted()
    }

    private mutating func take(_ key: String, _ value: Variant) -> Bool {
        switch (key, value) {
        case ("UUIDs", .array):
            let uuids = (value.texts ?? []).map { UUID($0) }
            services = uuids.compactMap(\.self)
            return services.count == uuids.count
        // Only the kernel looks at it, and only if all clients do: what comes through is not filtered here.
        case ("RSSI", .int16(let strength)): return (-127...20).contains(strength)
        case ("Pathloss", .uint16(let loss)): return loss <= 137
        case ("Transport", .string(let transport)): return ["auto", "bredr", "le"].contains(transport)
        case ("DuplicateData", .boolean(let wanted)): wantsDuplicates = wanted
        case ("Discoverable", .boolean), ("AutoConnect", .boolean): break
        case ("Pattern", .string(let text)): pattern = text
        default: return false
        }
        return true
    }

    /// Whether the client wants to hear of a packet.
    ///
    /// Service data does not count as a service, as in bluetoothd's `is_filter_match`.
    func matches(_ advertisement: Advertisement, from address: Address) -> Bool {
        if let pattern {
            let name = advertisement.localName ?? ""
            guard address.description.hasPrefix(pattern) || name.hasPrefix(pattern) else { return false }
        }
        return services.isEmpty || advertisement.serviceUUIDs.contains(where: services.contains)
    }
}
