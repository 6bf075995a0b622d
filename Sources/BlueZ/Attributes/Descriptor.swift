package import Bluetooth

/// A descriptor of a characteristic; valid until the connection is down or the services change.
package struct Descriptor: Hashable, Sendable {
    package let uuid: UUID
    /// The characteristic that it describes.
    package let characteristic: UUID
    let path: String

    /// Client Characteristic Configuration, which clients write to subscribe.
    static let clientConfiguration = UUID(0x2902 as UInt16)
}
