/// The size and the byte order of an unsigned whole number, which contains bits, a size or a checksum.
package struct UnsignedType: Hashable, Sendable {
    /// The size in bytes, from 1 to 8.
    package let size: Int
    package let endian: Field.Endian

    /// Creates the type; nil if `type` is not an unsigned whole number.
    package init?(_ type: NumberType, endian: Field.Endian = .little) {
        guard type.isInteger, !type.isSigned else { return nil }
        size = type.size
        self.endian = endian
    }

    /// The numbers that the type can represent.
    var range: ClosedRange<Int128> { 0...(1 << (8 * size)) - 1 }

    func decode(_ bytes: Span<UInt8>, at cursor: inout Cursor, field: String) throws(DecodingError) -> Int128 {
        let start = try cursor.take(size, for: field)
        return Int128(bytes.unsigned(at: start, size: size, endian: endian))
    }
}

extension UnsignedType {
    /// A type of one byte.
    package static let uint8 = UnsignedType(size: 1, endian: .little)
    /// A type of two bytes, least significant byte first.
    package static let uint16 = UnsignedType(size: 2, endian: .little)

    /// The same type in big-endian byte order.
    var bigEndian: UnsignedType { UnsignedType(size: size, endian: .big) }

    private init(size: Int, endian: Field.Endian) {
        self.size = size
        self.endian = endian
    }
}
