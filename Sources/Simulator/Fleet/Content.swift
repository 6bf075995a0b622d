package import Codec

/// What a characteristic holds.
package enum Content: Sendable {
    /// Bytes as they are; of several, each reading takes the next.
    case bytes([[UInt8]])
    /// A value over time, written by a format.
    case values(Curve, Format)

    static let empty = Content.bytes([[]])
}
