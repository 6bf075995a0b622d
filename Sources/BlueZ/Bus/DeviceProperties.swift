import Bluetooth
import DBus

/// Properties of `Device1`: all properties, or only the changed properties of a signal.
///
/// Source: BlueZ, doc/org.bluez.Device.rst.
struct DeviceProperties {
    private let values: [String: Variant]

    init(_ values: [String: Variant]) {
        self.values = values
    }

    var address: Address? { values["Address"]?.text.flatMap { Address($0) } }
    var addressKind: AddressKind? { values["AddressType"]?.text.flatMap(AddressKind.init) }
    /// The path of the adapter's object.
    var adapter: String? { values["Adapter"]?.text }
    var name: String? { values["Name"]?.text }
    /// The UUIDs of the advertised and the discovered services.
    var services: [UUID]? { values["UUIDs"]?.texts?.compactMap { UUID($0) } }
    /// Whether the properties contain a signal strength.
    ///
    /// bluetoothd removes the strength when the scan ends.
    var hasRSSI: Bool { values["RSSI"] != nil }
    /// The signal strength in dBm; nil for a number that is none, such as 127 for "not available" (Core Specification,
    /// Vol 4, Part E, 7.7.65.2).
    var rssi: Int? {
        values["RSSI"]?.integer.flatMap(Int.init(exactly:)).flatMap { (-127...20).contains($0) ? $0 : nil }
    }
    /// The advertised transmit power in dBm.
    var txPowerLevel: Int8? { values["TxPower"]?.integer.flatMap(Int8.init(exactly:)) }
    var manufacturerData: [Variant.Entry]? { values["ManufacturerData"]?.entries }
    var serviceData: [String: Variant]? { values["ServiceData"]?.dictionary }
    /// Whether the properties come from an advertisement: they contain the signal strength or data.
    var areOfAdvertisement: Bool {
        rssi != nil || values["ManufacturerData"] != nil || values["ServiceData"] != nil
    }

    var isConnected: Bool? { values["Connected"]?.boolean }
    var areServicesResolved: Bool? { values["ServicesResolved"]?.boolean }
    /// Whether bluetoothd has the keys of a bond; nil: not reported.
    ///
    /// bluetoothd before 5.65 has no property `Bonded`. `Paired` is used instead: a pairing usually creates a bond.
    var isBonded: Bool? { (values["Bonded"] ?? values["Paired"])?.boolean }
    var isBlocked: Bool? { values["Blocked"]?.boolean }
    var isTrusted: Bool? { values["Trusted"]?.boolean }
    /// The kind of Bluetooth that bluetoothd tries first: `le`, `bredr` or `last-used`; nil: not reported.
    var preferredBearer: String? { values["PreferredBearer"]?.text }
}
