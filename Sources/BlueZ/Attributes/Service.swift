package import Bluetooth

/// A service of a connected peripheral, with those of its characteristics that were looked for.
package struct Service: Hashable, Sendable {
    package let uuid: UUID
    package let isPrimary: Bool
    /// The services that it refers to.
    package let includedServices: [UUID]
    package let characteristics: [Characteristic]
    let path: String
}
