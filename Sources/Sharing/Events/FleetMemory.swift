package import Contract

/// The state that a gateway stores on its disk.
///
/// It gives no right, and only makes a gateway more careful.
package struct FleetMemory: Equatable, Sendable {
    /// The greatest epoch of all decisions.
    package var epoch: Int
    /// The greatest stamp of each device in all decisions.
    package var stamps: [String: FleetStamp]

    package init(epoch: Int = 0, stamps: [String: FleetStamp] = [:]) {
        self.epoch = epoch
        self.stamps = stamps
    }
}
