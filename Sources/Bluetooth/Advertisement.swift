/// What a device says of itself without a connection: one advertising packet, or what the system merged of several.
package struct Advertisement: Hashable, Sendable {
    /// The device's name, complete or shortened.
    package var localName: String?
    /// The services it offers.
    package var serviceUUIDs: [UUID] = []
    /// Data that belongs to a service.
    package var serviceData: [UUID: [UInt8]] = [:]
    /// Data by company identifier.
    package var manufacturerData: [UInt16: [UInt8]] = [:]
    /// The company identifier that came last among them: BlueZ puts those that are new behind those it knows.
    package var lastCompany: UInt16?
    /// The power at which it sends, in dBm.
    package var txPowerLevel: Int8?
    /// The strength at which it was received, in dBm.
    package var rssi: Int?
    /// Whether it accepts connections, when that is known.
    package var isConnectable: Bool?

    package init() {}

    /// The services that it names, and those that it has data of.
    package var offeredServices: [UUID] {
        serviceUUIDs + serviceData.keys.filter { !serviceUUIDs.contains($0) }.sorted()
    }
}
