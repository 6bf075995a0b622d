extension [UInt8] {
    /// A copy of bytes that are somebody else's.
    package init(_ bytes: Span<UInt8>) {
        self = bytes.indices.map { bytes[$0] }
    }
}
