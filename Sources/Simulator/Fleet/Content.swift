package import Codec

/// The content of a characteristic.
package enum Content: Sendable {
    /// Constant bytes, or a series through which readings alternate.
    case bytes([[UInt8]])
    /// A value over time, encoded by a format.
    case values(Curve, Format)

    static let empty = Content.bytes([[]])
}
