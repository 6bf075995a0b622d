package import Bluetooth

/// A descriptor of a characteristic; valid until the connection is down or the services change.
package struct Descriptor: Hashable, Sendable {
    package let uuid: UUID
    /// The UUID of the characteristic to which the descriptor belongs.
    package let characteristic: UUID
    let path: String
}
