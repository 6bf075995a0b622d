extension Span<UInt8> {
    /// Returns the unsigned number of `size` bytes, from 1 to 8, at a position.
    func unsigned(at position: Int, size: Int, endian: Field.Endian = .little) -> UInt64 {
        var number: UInt64 = 0
        for index in 0..<size {
            let byte = self[position + endian.place(of: index, in: size)]
            number = number << 8 | UInt64(byte)
        }
        return number
    }

    /// Returns the signed number (two's complement) of `size` bytes, from 1 to 8, at a position.
    func signed(at position: Int, size: Int, endian: Field.Endian = .little) -> Int64 {
        let shift = 64 - 8 * size
        return Int64(bitPattern: unsigned(at: position, size: size, endian: endian) << shift) >> shift
    }
}

extension [UInt8] {
    /// Appends the lowest `size` bytes of a whole number.
    mutating func append(_ number: Int128, size: Int, endian: Field.Endian) {
        for index in 0..<size {
            append(UInt8(truncatingIfNeeded: number >> (8 * (size - 1 - endian.place(of: index, in: size)))))
        }
    }
}

extension Field.Endian {
    /// Returns the place, from 0 on, of a byte of a number; the byte with the index 0 is the most significant one.
    ///
    /// The byte with this place has this index too: the function is its own inverse.
    @inline(__always)
    fileprivate func place(of index: Int, in size: Int) -> Int {
        switch self {
        case .little: size - 1 - index
        case .big: index
        case .word: size - 2 - (index & ~1) + (index & 1)
        }
    }
}

extension Int128 {
    /// Returns the lowest `count` bits as a number, optionally in two's complement.
    func lowest(_ count: Int, isSigned: Bool) -> Int128 {
        let number = self & ((1 << count) - 1)
        return isSigned && number >> (count - 1) == 1 ? number - (1 << count) : number
    }
}
