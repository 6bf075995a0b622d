package import Bluetooth

/// A descriptor of a characteristic; valid until the connection is down or the services change.
package struct Descriptor: Hashable, Sendable {
    package let uuid: UUID
    /// The UUID of the characteristic to which the descriptor belongs.
    package let characteristic: UUID
    let path: String

    /// The UUID of the Client Characteristic Configuration, which a client writes to subscribe.
    static let clientConfiguration = UUID(0x2902 as UInt16)
}
