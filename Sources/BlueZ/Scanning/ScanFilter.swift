package import Bluetooth

/// The conditions that an advertisement must meet; all that are given must hold.
///
/// The filter is applied here and not by bluetoothd. bluetoothd's own filter misses services that occur only in service
/// data, does not filter by RSSI, and is shared with all other programs (BlueZ 5.66 to 5.87, src/adapter.c,
/// is_filter_match).
package struct ScanFilter: Hashable, Sendable {
    /// The devices; nil: all.
    ///
    /// Advertisements of other devices are not decoded.
    package var addresses: Set<Address>?
    /// One of these must be advertised, as a service or with service data; empty: any.
    package var services: [UUID] = []
    /// The company of the manufacturer data.
    package var manufacturer: UInt16?
    /// The beginning of the name.
    package var namePrefix: String?
    /// The lowest signal strength in dBm.
    package var minimumRSSI: Int?

    package init() {}

    func admits(_ sighting: Sighting) -> Bool {
        if let addresses, !addresses.contains(sighting.address) { return false }
        let advertisement = sighting.advertisement
        if let minimumRSSI, advertisement.rssi ?? .min < minimumRSSI { return false }
        if let namePrefix, advertisement.localName?.hasPrefix(namePrefix) != true { return false }
        if let manufacturer, advertisement.manufacturerData[manufacturer] == nil { return false }
        return services.isEmpty
            || services.contains {
                advertisement.serviceUUIDs.contains($0) || advertisement.serviceData[$0] != nil
            }
    }
}
