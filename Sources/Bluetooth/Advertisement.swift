/// The content of an advertisement: one packet, or several packets that the system has merged.
package struct Advertisement: Hashable, Sendable {
    /// The complete or the shortened name of the device.
    package var localName: String?
    /// The services that the advertisement lists.
    package var serviceUUIDs: [UUID] = []
    /// Data by the UUID of a service.
    package var serviceData: [UUID: [UInt8]] = [:]
    /// Data by company identifier.
    package var manufacturerData: [UInt16: [UInt8]] = [:]
    /// The company identifier that was received last: BlueZ appends new identifiers to the ones it knows.
    package var lastCompany: UInt16?
    /// The transmit power, in dBm.
    package var txPowerLevel: Int8?
    /// The received signal strength, in dBm.
    package var rssi: Int?
    /// Whether the device accepts connections; nil if this is not known.
    package var isConnectable: Bool?

    package init() {}

    /// The services that the advertisement lists, and the services that it has data of.
    package var offeredServices: [UUID] {
        serviceUUIDs + serviceData.keys.filter { !serviceUUIDs.contains($0) }.sorted()
    }
}
