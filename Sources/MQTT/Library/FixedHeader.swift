/// The fixed header of a packet, read byte by byte (MQTT 5, 2.1): the type with flags, and the length of the rest.
struct FixedHeader {
    /// The maximum length of PUBLISH after its fixed header, in bytes.
    static let longestMessage = 1 << 20
    /// The maximum length of every other packet after its fixed header, in bytes.
    static let longestPacket = 64 << 10

    private(set) var first: UInt8 = 0
    /// The length of the packet after the fixed header, in bytes.
    private(set) var length = 0
    /// The number of bytes that were read.
    private(set) var size = 0

    var isPublish: Bool { first & 0xf0 == 0x30 }
    /// Whether a PUBLISH may be a repetition: the broker has sent it before (DUP).
    var isDuplicate: Bool { first & 8 != 0 }
    var qualityOfService: UInt8 { first >> 1 & 3 }
    /// Whether the packet is a PUBLISH that is too long.
    var isLongMessage: Bool { isPublish && length > Self.longestMessage }

    /// The packet types in the order of their numbers (MQTT 5, 2.1.2).
    private static let names = [
        "a reserved packet", "a CONNECT", "a CONNACK", "a PUBLISH", "a PUBACK", "a PUBREC", "a PUBREL", "a PUBCOMP",
        "a SUBSCRIBE", "a SUBACK", "an UNSUBSCRIBE", "an UNSUBACK", "a PINGREQ", "a PINGRESP", "a DISCONNECT",
        "an AUTH",
    ]

    /// The name of the packet with its article.
    private var name: String { Self.names[Int(first >> 4)] }

    /// Reads the next byte.
    ///
    /// - Returns: Whether the header is complete.
    /// - Throws: `PacketError` for a length that is not valid, or for a long packet that is not a PUBLISH.
    mutating func read(_ byte: UInt8) throws(PacketError) -> Bool {
        size += 1
        guard size > 1 else {
            first = byte
            return false
        }
        length |= Int(byte & 0x7f) << (7 * (size - 2))
        guard byte < 0x80 else {
            if size == 5 { throw PacketError("the broker has sent an invalid packet: is it an MQTT broker?") }
            return false
        }
        guard isPublish || length <= Self.longestPacket else {
            throw PacketError(
                "the broker has sent \(name) of \(length) bytes: at most \(Self.longestPacket) bytes are allowed")
        }
        return true
    }

    /// Appends a header with the same type and flags, and another length.
    func append(length: Int, to bytes: inout [UInt8]) {
        bytes.append(first)
        var rest = length
        repeat {
            bytes.append(UInt8(rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
    }
}

/// A packet that ends the connection.
struct PacketError: Error {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
