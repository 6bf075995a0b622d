import Bluetooth
import DBus

/// Properties of `Adapter1`: all properties, or only the changed properties of a signal.
///
/// Source: BlueZ, doc/org.bluez.Adapter.rst.
struct AdapterProperties {
    private let values: [String: Variant]

    init(_ values: [String: Variant]) {
        self.values = values
    }

    static let powered = "Powered"

    var address: Address? { values["Address"]?.text.flatMap { Address($0) } }
    /// Whether the adapter can be a central; true with bluetoothd before 5.55, which has no property `Roles`.
    var isCentral: Bool { (values["Roles"]?.texts ?? ["central"]).contains("central") }
    var hasPower: Bool { values[Self.powered] != nil }
    var isPowered: Bool? { values[Self.powered]?.boolean }
    /// Whether rfkill blocks the adapter; false if this is not reported (bluetoothd before 5.73).
    var isBlocked: Bool { values["PowerState"]?.text == "off-blocked" }
    var bluetoothd: BluetoothdVersion? { values["Modalias"]?.text.flatMap { BluetoothdVersion(modalias: $0) } }
}
