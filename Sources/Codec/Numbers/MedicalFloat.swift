/// The floating-point numbers to the base of ten of IEEE 11073-20601: an exponent above a mantissa, both in two's
/// complement.
struct MedicalFloat {
    /// 16 bits: an exponent of 4, a mantissa of 12.
    static let sfloat = MedicalFloat(mantissaBits: 12, exponentBits: 4)
    /// 32 bits: an exponent of 8, a mantissa of 24.
    static let float = MedicalFloat(mantissaBits: 24, exponentBits: 8)

    let mantissaBits: Int
    let exponentBits: Int

    /// Where the special values begin: +INFINITY, NaN, NRes, a reserved one, and -INFINITY follow each other from here
    /// on, with an exponent of zero.
    private var firstSpecial: UInt32 { (1 << (mantissaBits - 1)) - 2 }
    private var lastSpecial: UInt32 { firstSpecial + 4 }

    /// The special value for "not a number".
    var nan: UInt32 { firstSpecial + 1 }

    /// The number of these bits; nil for the special values.
    func decode(_ raw: UInt32) -> Decimal? {
        if firstSpecial...lastSpecial ~= raw { return nil }
        let mantissa = Int32(bitPattern: raw << (32 - mantissaBits)) >> (32 - mantissaBits)
        let exponent = Int32(bitPattern: raw << (32 - mantissaBits - exponentBits)) >> (32 - exponentBits)
        return Decimal(mantissa, exponent: Int(exponent))
    }

    /// The nearest bits to a number; nil if it is too large.
    func encode(_ number: Decimal) -> UInt32? {
        let mantissas = -(Int128(1) << (mantissaBits - 1))...(Int128(1) << (mantissaBits - 1)) - 1
        let exponents = -(1 << (exponentBits - 1))...(1 << (exponentBits - 1)) - 1
        let shortest = min(max(number.normalized.exponent, exponents.lowerBound), exponents.upperBound)
        // A whole number keeps the exponent 0 where it fits: some devices look at the mantissa alone.
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
