import Bluetooth

/// The properties of a device that come from its advertisements, its Generic Access service and service discovery.
struct AdvertisedData {
    private(set) var name: String?
    private(set) var appearance: UInt16?
    private(set) var rssi: Int16?
    private(set) var txPower: Int16?
    private(set) var manufacturerData: [UInt16: [UInt8]] = [:]
    private(set) var serviceData: [UUID: [UInt8]] = [:]
    private(set) var uuids: [UUID]

    /// The minimum change of the signal strength that bluetoothd signals if no client has set a filter, in dB.
    private static let strengthStep: Int16 = 8

    init(name: String? = nil, uuids: [UUID] = []) {
        self.name = name
        self.uuids = uuids
    }

    /// Merges an advertisement.
    ///
    /// - Parameters:
    ///   - packet: The packet with the advertisement.
    ///   - isFiltered: Whether a client has set a filter.
    ///   - withDuplicates: Whether a client has set `DuplicateData`.
    /// - Returns: The changed properties, in the order in which bluetoothd signals them.
    mutating func merge(_ packet: Packet, isFiltered: Bool, withDuplicates: Bool) -> [String] {
        let advertisement = packet.advertisement
        var changes: [String] = []
        if let received = advertisement.localName { changes += setName(received) }
        if let received = packet.appearance, received != appearance {
            appearance = received
            changes.append("Appearance")
        }
        changes += mergeStrength(packet, isFiltered: isFiltered)
        let new = advertisement.serviceUUIDs.filter { !uuids.contains($0) }
        if !new.isEmpty {
            uuids += new
            changes.append("UUIDs")
        }
        if Self.merge(advertisement.manufacturerData, into: &manufacturerData, replacing: withDuplicates) {
            changes.append("ManufacturerData")
        }
        if Self.merge(advertisement.serviceData, into: &serviceData, replacing: withDuplicates) {
            changes.append("ServiceData")
        }
        return changes
    }

    private mutating func mergeStrength(_ packet: Packet, isFiltered: Bool) -> [String] {
        var changes: [String] = []
        if let power = packet.advertisement.txPowerLevel.map(Int16.init), power != txPower {
            txPower = power
            changes.append("TxPower")
        }
        if let rssi, !isFiltered, abs(rssi - packet.rssi) < Self.strengthStep { return changes }
        rssi = packet.rssi
        return changes + ["RSSI"]
    }

    /// Merges new data.
    ///
    /// - Parameters:
    ///   - new: The data of one advertisement.
    ///   - old: The data of the earlier advertisements; contains the result after the call.
    ///   - replacing: Whether the new data replaces all earlier data.
    /// - Returns: Whether the property must be signalled.
    private static func merge<Key>(
        _ new: [Key: [UInt8]], into old: inout [Key: [UInt8]], replacing: Bool
    ) -> Bool {
        if new.isEmpty { return false }
        if replacing {
            old = new
            return true
        }
        let merged = old.merging(new) { $1 }
        defer { old = merged }
        return merged != old
    }

    /// Sets the name.
    ///
    /// - Returns: The changed properties.
    mutating func setName(_ name: String) -> [String] {
        guard name != self.name else { return [] }
        self.name = name
        return ["Name"]
    }

    /// Sets the UUIDs of the discovered services.
    ///
    /// - Returns: The changed properties.
    mutating func setServices(_ uuids: [UUID]) -> [String] {
        guard uuids != self.uuids else { return [] }
        self.uuids = uuids
        return ["UUIDs"]
    }

    /// Removes the signal strength and the transmit power, which are only valid during a scan.
    ///
    /// - Returns: The changed properties.
    mutating func forgetStrength() -> [String] {
        var changes: [String] = []
        if rssi != nil { changes.append("RSSI") }
        if txPower != nil { changes.append("TxPower") }
        (rssi, txPower) = (nil, nil)
        return changes
    }
}
