import Bluetooth
import DBus

/// A client's discovery filter (SetDiscoveryFilter).
struct DiscoveryFilter {
    private var services: [UUID] = []
    /// The prefix that the address or the name must have; nil: any.
    private var pattern: String?
    /// Whether unchanged data is signalled for each advertisement.
    private(set) var wantsDuplicates = false

    static func knownKeys(of version: BluetoothdVersion) -> [String] {
        ["UUIDs", "RSSI", "Pathloss", "Transport", "DuplicateData", "Discoverable", "Pattern"]
            + (version.filtersForConnecting ? ["AutoConnect"] : [])
    }

    /// Creates the filter that a client sets; nil for an empty dictionary, which removes the filter.
    ///
    /// - Throws: `InvalidArguments` for unknown keys, wrong types and invalid combinations.
    init?(_ options: [String: Variant], of version: BluetoothdVersion) throws(DBusError) {
        if options.isEmpty { return nil }
        let known = Self.knownKeys(of: version)
        for (key, value) in options {
            guard known.contains(key), set(key, value) else { throw BlueZError.invalidArguments }
        }
        if options["RSSI"] != nil && options["Pathloss"] != nil { throw BlueZError.invalidArguments }
    }

    private mutating func set(_ key: String, _ value: Variant) -> Bool {
        switch (key, value) {
        case ("UUIDs", .array):
            let uuids = (value.texts ?? []).map { UUID($0) }
            services = uuids.compactMap(\.self)
            return services.count == uuids.count
        // The simulator ignores the key RSSI: only the kernel evaluates it, and only if all clients set it.
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

    /// Returns whether a packet passes the filter.
    ///
    /// The UUIDs of service data are ignored, as in bluetoothd's `is_filter_match`.
    func matches(_ advertisement: Advertisement, from address: Address) -> Bool {
        if let pattern {
            let name = advertisement.localName ?? ""
            guard address.description.hasPrefix(pattern) || name.hasPrefix(pattern) else { return false }
        }
        return services.isEmpty || advertisement.serviceUUIDs.contains(where: services.contains)
    }
}
