/// A decimal floating-point type of IEEE 11073-20601: exponent (high bits) and mantissa, both in two's complement.
struct MedicalFloat {
    /// SFLOAT: 16 bits, with an exponent of 4 bits and a mantissa of 12 bits.
    static let sfloat = MedicalFloat(mantissaBits: 12, exponentBits: 4)
    /// FLOAT: 32 bits, with an exponent of 8 bits and a mantissa of 24 bits.
    static let float = MedicalFloat(mantissaBits: 24, exponentBits: 8)

    let mantissaBits: Int
    let exponentBits: Int

    /// The first special value.
    ///
    /// The special values are consecutive, with the exponent 0: +INFINITY, NaN, NRes, a reserved value and -INFINITY.
    private var firstSpecial: UInt32 { (1 << (mantissaBits - 1)) - 2 }
    private var lastSpecial: UInt32 { firstSpecial + 4 }

    /// The special value "not a number".
    var nan: UInt32 { firstSpecial + 1 }

    /// Returns the number of these bits; nil for a special value.
    func decode(_ raw: UInt32) -> Decimal? {
        if firstSpecial...lastSpecial ~= raw { return nil }
        let mantissa = Int32(bitPattern: raw << (32 - mantissaBits)) >> (32 - mantissaBits)
        let exponent = Int32(bitPattern: raw << (32 - mantissaBits - exponentBits)) >> (32 - exponentBits)
        return Decimal(mantissa, exponent: Int(exponent))
    }

    /// Returns the bits of the nearest number; nil if the number is too large.
    func encode(_ number: Decimal) -> UInt32? {
        let mantissas = -(Int128(1) << (mantissaBits - 1))...(Int128(1) << (mantissaBits - 1)) - 1
        let exponents = -(1 << (exponentBits - 1))...(1 << (exponentBits - 1)) - 1
        let shortest = min(max(number.normalized.exponent, exponents.lowerBound), exponents.upperBound)
        // A whole number is encoded with the exponent 0 if possible: some devices read only the mantissa.
        for exponent in (shortest > 0 ? [0] : []) + Array(shortest...exponents.upperBound) {
            guard let mantissa = number.steps(of: Decimal(1, exponent: exponent)), mantissas.contains(mantissa) else {
                continue
            }
            let raw = bits(mantissa: mantissa, exponent: exponent)
            if decode(raw) != nil { return raw }
        }
        return nil
    }

    private func bits(mantissa: Int128, exponent: Int) -> UInt32 {
        let mask: UInt32 = (1 << mantissaBits) - 1
        let exponentMask: UInt32 = (1 << exponentBits) - 1
        return (UInt32(truncatingIfNeeded: exponent) & exponentMask) << mantissaBits
            | UInt32(truncatingIfNeeded: mantissa) & mask
    }
}
