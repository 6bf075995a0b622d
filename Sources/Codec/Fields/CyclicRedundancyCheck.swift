/// A cyclic redundancy check (CRC) in the parameters of the Rocksoft model.
package struct CyclicRedundancyCheck: Hashable, Sendable {
    /// The number of bits: 8, 16, 24, 32, 40, 48, 56 or 64.
    package let width: Int
    /// The polynomial without its highest bit, most significant bit first.
    package let polynomial: UInt64
    /// The initial value, in the bit order of the polynomial.
    package let initial: UInt64
    /// Whether the least significant bit of each byte is the first one, also in the result.
    package let isReflected: Bool
    /// The number that is combined with the result by exclusive or.
    package let final: UInt64

    package init(
        width: Int, polynomial: UInt64, initial: UInt64 = 0, isReflected: Bool = false, final: UInt64 = 0
    ) {
        self.width = width
        self.polynomial = polynomial
        self.initial = initial
        self.isReflected = isReflected
        self.final = final
    }

    /// The largest number of the width.
    private var mask: UInt64 { .max >> (64 - width) }

    func callAsFunction(_ bytes: some Sequence<UInt8>) -> UInt64 {
        if isReflected {
            let polynomial = reflected(polynomial)
            return final
                ^ bytes.reduce(reflected(initial)) { crc, byte in
                    (0..<8).reduce(crc ^ UInt64(byte)) { crc, _ in crc & 1 != 0 ? crc >> 1 ^ polynomial : crc >> 1 }
                }
        }
        let top: UInt64 = 1 << (width - 1)
        return final
            ^ bytes.reduce(initial) { crc, byte in
                (0..<8).reduce(crc ^ UInt64(byte) << (width - 8)) { crc, _ in
                    (crc & top != 0 ? crc << 1 ^ polynomial : crc << 1) & mask
                }
            }
    }

    private func reflected(_ number: UInt64) -> UInt64 {
        (0..<width).reduce(0) { $0 | (number >> $1 & 1) << (width - 1 - $1) }
    }
}
