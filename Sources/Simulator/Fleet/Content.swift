package import Codec

/// The content of a characteristic.
package enum Content: Sendable {
    /// Constant bytes, or several values that are returned in turn.
    case bytes([[UInt8]])
    /// A curve, whose values a format encodes.
    case values(Curve, Format)

    static let empty = Content.bytes([[]])
}
