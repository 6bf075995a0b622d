package import Contract

/// The state that a gateway stores on its disk.
///
/// It gives no right to act, and only makes a gateway more careful.
package struct FleetMemory: Equatable, Sendable {
    /// The greatest epoch of all decisions.
    package var epoch: Int
    /// The greatest stamp of each device in all decisions.
    package var stamps: DeviceValues<FleetStamp>
    /// The gateways that have a bond with a device, by device.
    package var bonds: [String: [String]]

    package init(
        epoch: Int = 0, stamps: DeviceValues<FleetStamp> = DeviceValues(), bonds: [String: [String]] = [:]
    ) {
        self.epoch = epoch
        self.stamps = stamps
        self.bonds = bonds
    }
}
