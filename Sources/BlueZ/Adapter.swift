package import Bluetooth

/// A Bluetooth controller of this machine.
package struct Adapter: Hashable, Sendable {
    package let address: Address
    /// Whether it may connect to peripherals.
    package var isCentral: Bool
    package var isPowered: Bool
    /// What keeps it off, for people; nil: nothing is known.
    package var obstacle: String?
    /// bluetoothd's name for it, `hci0`; it may be another one after the next start.
    package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    let path: String
    /// Whose adapter it is; nil: it does not tell.
    let bluetoothd: BluetoothdVersion?
}
