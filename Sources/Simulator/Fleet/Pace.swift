/// The duration of each operation of a peripheral.
package struct Pace: Hashable, Sendable {
    package var connect: Duration
    /// From the connection to the last service.
    package var resolve: Duration
    package var read: Duration
    package var write: Duration
    /// Enabling or disabling notifications.
    package var subscribe: Duration
    /// From the call to the end of the connection; bluetoothd itself waits for 2 s.
    package var disconnect: Duration
    package var pair: Duration
    /// The timeout of a connection attempt; the kernel's limit is 20 s.
    package var connectTimeout: Duration
    /// The time without a request after which the peripheral disconnects; nil: never.
    package var idle: Duration?
}
