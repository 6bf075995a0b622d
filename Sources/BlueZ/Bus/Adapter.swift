package import Bluetooth

/// A Bluetooth controller of this machine.
package struct Adapter: Hashable, Sendable {
    package let address: Address
    /// Whether the adapter can be used to connect to peripherals.
    package let isCentral: Bool
    package internal(set) var isPowered: Bool
    /// The reason why the adapter is off, as a text for the user; nil: the adapter is on, or the reason is not known.
    package internal(set) var obstacle: String?
    /// bluetoothd's name for the adapter, for example `hci0`.
    ///
    /// The name may change when the machine restarts or the adapter is plugged in again.
    package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    let path: String
    /// The version of bluetoothd; nil: not reported.
    let bluetoothd: BluetoothdVersion?
    /// The version of bluetoothd, such as `5.82`; nil: not reported.
    package var bluetoothdVersion: String? { bluetoothd.map { "\($0.major).\($0.minor)" } }
}
