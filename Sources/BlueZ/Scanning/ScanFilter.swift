package import Bluetooth

/// What a device must show to be of interest; all that is given must hold.
///
/// It is applied here and not by bluetoothd, whose own filter passes over services that are only in service data, does
/// nothing about RSSI, and is shared with all other programs (BlueZ 5.66 to 5.87, src/adapter.c, is_filter_match).
package struct ScanFilter: Hashable, Sendable {
    /// The devices themselves; nil: any. Packets of others are not even looked at.
    package var addresses: Set<Address>?
    /// One of these must be advertised, as a service or with service data; empty: any.
    package var services: [UUID] = []
    /// The company of its manufacturer data.
    package var manufacturer: UInt16?
    /// What its name begins with.
    package var namePrefix: String?
    /// The strength in dBm below which it is not heard.
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
