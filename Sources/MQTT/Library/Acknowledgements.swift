/// The packet identifiers of the complete PUBACK packets at the beginning of bytes.
///
/// Source: MQTT 5, 3.4.
struct Acknowledgements: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    /// - Parameter bytes: Bytes that begin with a packet.
    init(in bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    mutating func next() -> Int32? {
        let start = rest.startIndex
        guard rest.count >= 4, rest[start] == 0x40 else { return nil }
        // A length of 128 or more continues in the next byte: libmosquitto must not read such a packet unchecked.
        let length = Int(rest[start + 1])
        guard length >= 2, length < 0x80, rest.count >= 2 + length else { return nil }
        let identifier = Int32(rest[start + 2]) << 8 | Int32(rest[start + 3])
        rest = rest[(start + 2 + length)...]
        return identifier
    }
}
