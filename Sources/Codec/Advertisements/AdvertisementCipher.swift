/// The encryption of an advertisement, as a table of the positions of its parts.
struct AdvertisementCipher: Hashable, Sendable {
    /// A slice of the bytes.
    ///
    /// Positions count from the start or, if negative, from the end.
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
        /// The six bytes of the device's address, in the order of its text.
        case address
        /// The first bytes of the device's address in the order of the air.
        case reversedAddress(bytes: Int)
        case constant([UInt8])
        case bytes(Slice)
        /// The number of bytes plus a constant, in one byte.
        case length(plus: Int)
    }

    /// The bits that show whether the bytes are encrypted.
    struct Flag: Hashable, Sendable {
        let byte: Int
        let mask: UInt8
    }

    enum Mode: Hashable, Sendable {
        /// Counter mode with a tag of four bytes at the end (CCM, RFC 3610).
        case ccm(additionalData: [UInt8])
        /// The same counter mode without a tag: a wrong key shows only in implausible values.
        case ccmWithoutTag
        /// Counter mode with the nonce as a little-endian counter.
        case littleEndianCounter
        /// One block in reverse byte order, encrypted with a key that the packet itself carries as its nonce.
        case reversedBlock
    }

    var flag: Flag?
    let mode: Mode
    /// The bytes before the encrypted bytes; they are not encrypted.
    let header: Header
    /// The number of bytes after the encrypted bytes, e.g.
    ///
    /// for the counter and the tag.
    let trailer: Int
    let nonce: [Piece]
    /// The bytes of the packet counter, least significant byte first.
    ///
    /// A packet is rejected if its counter has not increased: it may be a repeated old packet.
    var replayCounter: [Slice] = []
    /// The position of a byte that equals the first byte of the key; it reveals a wrong key at once.
    var keyCheck: Int?
    /// The checksum over the encrypted bytes.
    ///
    /// The trailer holds it, most significant byte first.
    var checksum: Checksum?
    /// The bytes to insert into the middle of a key of 12 bytes.
    var keyFiller: [UInt8] = []

    /// The length of the header: constant, or determined by flags in its first two bytes.
    struct Header: Hashable, Sendable {
        /// Bytes that are present if a bit of the first two bytes (little-endian) is set.
        struct Option: Hashable, Sendable {
            let bit: Int
            let length: Int
            /// The bit of the option's first byte that announces two more bytes.
            var bitForTwoMore: Int?
        }

        let length: Int
        var options: [Option] = []
    }
}
