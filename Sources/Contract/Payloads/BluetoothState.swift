/// The state of Bluetooth, as published in `PREFIX/bridge/GATEWAY/info` and in the event `bluetooth`.
///
/// The names are those of Core Bluetooth's `CBManagerState`.
package enum BluetoothState: String, CaseIterable, Sendable {
    /// The state is not known yet.
    case unknown
    /// The bus or bluetoothd is not available, does not respond, or has just started.
    case resetting
    /// There is no adapter that can be a central.
    case unsupported
    /// The bus rejects calls to bluetoothd.
    case unauthorized
    case poweredOff
    case poweredOn
}
