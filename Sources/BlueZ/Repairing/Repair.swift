package import Bluetooth

/// What is done about an adapter or a peripheral that is stuck, the gentler first.
package enum Repair: Hashable, Sendable {
    /// The scan is stopped and started again.
    case restartScan
    /// bluetoothd forgets the peripheral, and with it whatever of it is stuck.
    case removeDevice(Address)
    /// The adapter is switched off and on; not while it has links.
    case powerCycle

    /// `restart_scan`, `remove_device` or `power_cycle`.
    package var name: String {
        switch self {
        case .restartScan: "restart_scan"
        case .removeDevice: "remove_device"
        case .powerCycle: "power_cycle"
        }
    }
}
