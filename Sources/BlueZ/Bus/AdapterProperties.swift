import Bluetooth
import DBus

/// Properties of `Adapter1`; a signal carries only those that changed.
///
/// Source: BlueZ, doc/org.bluez.Adapter.rst.
struct AdapterProperties {
    private let values: [String: Variant]

    init(_ values: [String: Variant]) {
        self.values = values
    }

    static let powered = "Powered"

    var address: Address? { values["Address"]?.text.flatMap { Address($0) } }
    /// `Roles` exists since 5.55; with earlier versions every adapter is a central.
    var isCentral: Bool { (values["Roles"]?.texts ?? ["central"]).contains("central") }
    var hasPower: Bool { values[Self.powered] != nil }
    var isPowered: Bool? { values[Self.powered]?.boolean }
    /// Whether rfkill blocks the adapter (since 5.73).
    var isBlocked: Bool { values["PowerState"]?.text == "off-blocked" }
    var bluetoothd: BluetoothdVersion? { values["Modalias"]?.text.flatMap { BluetoothdVersion(modalias: $0) } }
}
