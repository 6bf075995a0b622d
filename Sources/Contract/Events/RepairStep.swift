package import Bluetooth

/// A repair of an adapter or a peripheral that is stuck, as published in the event `repair`.
package enum RepairStep: Hashable, Sendable {
    /// The scan is stopped and started.
    case restartScan
    /// bluetoothd deletes the object of the peripheral with this address.
    case removeDevice(Address)
    /// The adapter is switched off and on.
    case powerCycle

    /// The values of the member `repair`.
    package enum Name: String, CaseIterable {
        case restartScan = "restart_scan"
        case removeDevice = "remove_device"
        case powerCycle = "power_cycle"
    }

    package var name: Name {
        switch self {
        case .restartScan: .restartScan
        case .removeDevice: .removeDevice
        case .powerCycle: .powerCycle
        }
    }
}
