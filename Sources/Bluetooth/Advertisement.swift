/// The content of an advertisement: one packet, or several packets that bluetoothd has merged.
package struct Advertisement: Hashable, Sendable {
    /// The complete or the shortened name of the device; nil: there is none.
    package var localName: String?
    /// The services that the advertisement lists.
    package var serviceUUIDs: [UUID] = []
    /// The service data, by the UUID of the service.
    package var serviceData: [UUID: [UInt8]] = [:]
    /// The manufacturer data, by company identifier.
    package var manufacturerData: [UInt16: [UInt8]] = [:]
    /// The company identifier that was received last; nil: there is no manufacturer data.
    ///
    /// BlueZ appends a new identifier to the identifiers of earlier advertisements.
    package var lastCompany: UInt16?
    /// The transmit power in dBm; nil: not advertised.
    package var txPowerLevel: Int8?
    /// The received signal strength in dBm; nil: not measured.
    package var rssi: Int?

    package init() {}

    /// The services that the advertisement lists, followed by other services for which it contains data.
    package var offeredServices: [UUID] {
        serviceUUIDs + serviceData.keys.filter { !serviceUUIDs.contains($0) }.sorted()
    }
}
