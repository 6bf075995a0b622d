import Bluetooth
import DBus

/// Properties of `GattService1`, `GattCharacteristic1` or `GattDescriptor1`.
///
/// Source: BlueZ, doc/org.bluez.GattService.rst, GattCharacteristic.rst and GattDescriptor.rst.
struct AttributeProperties {
    private let values: [String: Variant]

    init(_ values: [String: Variant]) {
        self.values = values
    }

    static let notifying = "Notifying"

    var uuid: UUID? { values["UUID"]?.text.flatMap { UUID($0) } }
    /// Whether a service is primary; true if this is not reported.
    var isPrimary: Bool { values["Primary"]?.boolean ?? true }
    /// The paths of the services that a service includes.
    var includes: [String] { values["Includes"]?.texts ?? [] }
    /// The operations that a characteristic supports: `read`, `notify` and so on.
    var flags: [String] { values["Flags"]?.texts ?? [] }
    /// The ATT MTU of the connection in bytes; nil: not reported (bluetoothd before 5.62).
    var maximumTransmissionUnit: Int? { values["MTU"]?.integer.flatMap(UInt16.init(exactly:)).map(Int.init) }
}
