extension Span<UInt8> {
    /// The whole number of `size` bytes, at most eight, from a position on.
    func unsigned(at position: Int, size: Int, endian: Field.Endian = .little) -> UInt64 {
        var number: UInt64 = 0
        for index in 0..<size {
            let byte = self[position + (endian == .big ? index : size - 1 - index)]
            number = number << 8 | UInt64(byte)
        }
        return number
    }

    /// The same in two's complement.
    func signed(at position: Int, size: Int, endian: Field.Endian = .little) -> Int64 {
        let shift = 64 - 8 * size
        return Int64(bitPattern: unsigned(at: position, size: size, endian: endian) << shift) >> shift
    }
}

extension [UInt8] {
    /// Adds the lowest `size` bytes of a whole number.
    mutating func append(_ number: Int128, size: Int, endian: Field.Endian) {
        for index in 0..<size {
            append(UInt8(truncatingIfNeeded: number >> (8 * (endian == .big ? size - 1 - index : index))))
        }
    }
}
