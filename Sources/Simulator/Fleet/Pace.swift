/// The duration of each operation of a peripheral.
package struct Pace: Hashable, Sendable {
    package var connect: Duration
    /// The time from the connection to the last discovered service.
    package var resolve: Duration
    package var read: Duration
    package var write: Duration
    /// The time to enable notifications.
    package var subscribe: Duration
    /// The time from a call of Disconnect to the end of the connection; a real bluetoothd waits for 2 s.
    package var disconnect: Duration
    package var pair: Duration
    /// The timeout of a connection attempt; the kernel's limit is 20 s.
    package var connectTimeout: Duration
    /// The time without a request after which the peripheral disconnects; nil: never.
    package var idle: Duration?
}
