/// The encryption of an advertisement format: the mode, and the positions of the nonce, the counter and the tag.
struct AdvertisementCipher: Hashable, Sendable {
    /// A range of positions in the bytes of an advertisement.
    ///
    /// A negative position is relative to the end of the bytes, and the `end` 0 is the end of the bytes.
    struct Slice: Hashable, Sendable {
        let start: Int
        let end: Int

        init(_ start: Int, _ end: Int) {
            self.start = start
            self.end = end
        }
    }

    /// A part of a nonce.
    enum Piece: Hashable, Sendable {
        /// The six bytes of the device's address, most significant byte first.
        case address
        /// The lowest bytes of the device's address, least significant byte first.
        case reversedAddress(bytes: Int)
        case constant([UInt8])
        case bytes(Slice)
        /// One byte: the number of bytes of the advertisement plus a constant.
        case length(plus: Int)
    }

    /// The position of some bits; the bytes are encrypted if at least one of these bits is set.
    struct Flag: Hashable, Sendable {
        let byte: Int
        let mask: UInt8
    }

    enum Mode: Hashable, Sendable {
        /// Counter mode with a tag of four bytes at the end (CCM, RFC 3610).
        case ccm(additionalData: [UInt8])
        /// No encryption: a signature of four bytes at the end, the tag of CCM. It signs the AD structure: its length,
        /// its type, the company identifier and the bytes before the signature.
        case signature(company: UInt16)
        /// The counter mode of CCM without a tag: only implausible values reveal a wrong key.
        case ccmWithoutTag
        /// Counter mode with the nonce as a little-endian counter.
        case littleEndianCounter
        /// One AES block in reverse byte order. The key consists of the parts of the nonce.
        case reversedBlock
        /// No key: each byte is combined with the two bytes before it and with its position; the first two bytes are the
        /// header.
        case chain

        /// Whether only a key of the user decrypts the bytes.
        var needsKey: Bool { self != .reversedBlock && self != .chain }
    }

    var flag: Flag?
    let mode: Mode
    /// The length of the bytes before the encrypted bytes.
    let header: Header
    /// The number of bytes after the encrypted bytes, e.g.
    ///
    /// for the counter and the tag.
    let trailer: Int
    let nonce: [Piece]
    /// The bytes of the packet counter, least significant byte first.
    ///
    /// A packet with a lower counter than the previous packet is rejected: it may be a replayed old packet.
    var replayCounter: [Slice] = []
    /// The position of a byte that equals the first byte of the correct key; nil if there is no such byte.
    var keyCheck: Int?
    /// The checksum over the encrypted bytes, which is the trailer, most significant byte first; nil for no checksum.
    var checksum: Checksum?
    /// The bytes that are inserted into the middle of a key of 12 bytes; empty if only keys of 16 bytes are allowed.
    var keyFiller: [UInt8] = []

    /// The length of the header: constant, or determined by flags in its first two bytes.
    struct Header: Hashable, Sendable {
        /// Bytes of the header that are present if a bit of the first two bytes (little-endian) is set.
        struct Option: Hashable, Sendable {
            let bit: Int
            let length: Int
            /// The bit of the option's first byte that is set if two more bytes follow; nil for a constant length.
            var bitForTwoMore: Int?
        }

        let length: Int
        var options: [Option] = []
    }
}
