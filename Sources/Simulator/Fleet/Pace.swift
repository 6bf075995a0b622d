/// How long each step takes with a peripheral.
package struct Pace: Hashable, Sendable {
    package var connect: Duration
    /// From the link to the last service.
    package var resolve: Duration
    package var read: Duration
    package var write: Duration
    /// Turning notifications on or off.
    package var subscribe: Duration
    /// From the call to the end of the link; bluetoothd itself waits for two seconds.
    package var disconnect: Duration
    package var pair: Duration
    /// After how long without an answer a connection is given up; the kernel's limit is 20 s.
    package var connectTimeout: Duration
    /// After how long without any request the peripheral drops the link; nil: never.
    package var idle: Duration?
}
