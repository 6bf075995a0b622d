package import Bluetooth

/// A service of a connected peripheral, with its discovered characteristics.
package struct Service: Hashable, Sendable {
    package let uuid: UUID
    package let isPrimary: Bool
    /// The services that it includes.
    package let includedServices: [UUID]
    package let characteristics: [Characteristic]
    let path: String
}
