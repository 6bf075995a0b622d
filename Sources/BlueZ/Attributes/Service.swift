package import Bluetooth

/// A service of a connected peripheral, with its discovered characteristics.
package struct Service: Hashable, Sendable {
    package let uuid: UUID
    package let isPrimary: Bool
    /// The UUIDs of the services that this service includes.
    package let includedServices: [UUID]
    package let characteristics: [Characteristic]
    let path: String
}
