/// How an advertisement is encrypted, as a table of what comes from where.
struct AdvertisementCipher: Hashable, Sendable {
    /// A piece of the bytes, by places that count from the start or, negative, from the end.
    struct Slice: Hashable, Sendable {
        let start: Int
        let end: Int

        init(_ start: Int, _ end: Int) {
            self.start = start
            self.end = end
        }
    }

    /// A piece of a nonce.
    enum Piece: Hashable, Sendable {
        /// The device's address as it is written.
        case address
        /// The first bytes of the device's address as it travels on the air.
        case reversedAddress(bytes: Int)
        case constant([UInt8])
        case bytes(Slice)
        /// The number of the bytes, and some more.
        case length(plus: Int)
    }

    /// What the bytes must have for the cipher to apply; all always if nil.
    struct Flag: Hashable, Sendable {
        let byte: Int
        let mask: UInt8
    }

    enum Mode: Hashable, Sendable {
        /// Counter with a tag of four bytes at the very end (RFC 3610).
        case ccm(additionalData: [UInt8])
        /// The same without a look at the tag, which the format does not have: a wrong key shows only in what comes out.
        case ccmWithoutTag
        /// Counter mode with the nonce as a little-endian counter.
        case littleEndianCounter
        /// One block, its bytes in reverse, with a key that the packet itself carries in the place of the nonce: no
        /// secret, but made to look like one.
        case reversedBlock
    }

    var flag: Flag?
    let mode: Mode
    /// The bytes before the encrypted ones, which stay as they are.
    let header: Header
    /// The bytes after the encrypted ones: counter, tag.
    let trailer: Int
    let nonce: [Piece]
    /// The bytes by which a packet that was recorded is known: their number, the least significant first, must grow.
    var replayCounter: [Slice] = []
    /// A byte that is the key's first one, to tell at once whether it is the right one.
    var keyCheck: Int?
    /// Over the encrypted bytes; the trailer is what it must be, the most significant byte first.
    var checksum: Checksum?
    /// What a key of 12 bytes lacks in its middle.
    var keyFiller: [UInt8] = []

    /// How long the header is: always the same, or as flags of its first two bytes say.
    struct Header: Hashable, Sendable {
        /// Bytes that are there when a bit of the first two, little-endian, is set.
        struct Option: Hashable, Sendable {
            let bit: Int
            let length: Int
            /// More bytes when this bit of the option's first byte is set.
            var bitForTwoMore: Int?
        }

        let length: Int
        var options: [Option] = []
    }
}
