/// What can be done with Bluetooth at present.
///
/// The counterpart of Core Bluetooth's `CBManagerState`.
package enum ManagerState: String, Sendable {
    /// Nothing is known yet.
    case unknown
    /// bluetoothd is not there, or has just come back.
    case resetting
    /// There is no adapter that can be a central.
    case unsupported
    /// The bus does not let us talk to bluetoothd.
    case unauthorized
    case poweredOff
    case poweredOn
}
