package import Bluetooth

/// The conditions that an advertisement must meet.
///
/// A condition that is not set always holds.
///
/// The filter is applied here and not by bluetoothd. bluetoothd's own filter misses services that occur only in service
/// data, does not filter by RSSI, and is shared with all other programs (BlueZ 5.66 to 5.87, src/adapter.c,
/// is_filter_match).
package struct ScanFilter: Hashable, Sendable {
    /// The addresses of the devices; nil: all devices.
    ///
    /// Advertisements of other devices are not decoded.
    package var addresses: Set<Address>?
    /// The services; the device must advertise at least one of them, as a service or with service data.
    ///
    /// Empty: any.
    package var services: [UUID] = []
    /// The company identifier that the manufacturer data must have; nil: any.
    package var manufacturer: UInt16?
    /// The prefix that the advertised name must have; nil: any name.
    package var namePrefix: String?
    /// The minimum signal strength in dBm; nil: any.
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
