package import Bluetooth

/// A repair of an adapter or a peripheral that is stuck, from gentle to harsh.
package enum Repair: Hashable, Sendable {
    /// The scan is stopped and started.
    case restartScan
    /// bluetoothd deletes the peripheral's object, and ends its connection and its attempts to connect.
    case removeDevice(Address)
    /// The adapter is switched off and on, but not while it has connections, unless more peripherals have failed to
    /// connect for five minutes than are connected.
    case powerCycle
}
