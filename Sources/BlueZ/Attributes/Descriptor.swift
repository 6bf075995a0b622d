package import Bluetooth

/// A descriptor of a characteristic; of use until the link is down or the services change.
package struct Descriptor: Hashable, Sendable {
    package let uuid: UUID
    /// The characteristic that it describes.
    package let characteristic: UUID
    let path: String

    /// Client Characteristic Configuration: where a client subscribes.
    static let clientConfiguration = UUID(0x2902 as UInt16)
}
