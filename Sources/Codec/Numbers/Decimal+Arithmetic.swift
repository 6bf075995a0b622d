extension Decimal {
    /// Returns the exact sum; nil if the sum does not fit 128 bits.
    package func adding(_ other: Decimal) -> Decimal? {
        if other.significand == 0 { return self }
        if significand == 0 { return other }
        let common = min(exponent, other.exponent)
        guard let left = significand.scaled(byPowerOfTen: exponent - common),
            let right = other.significand.scaled(byPowerOfTen: other.exponent - common)
        else { return nil }
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow || sum == .min ? nil : Decimal(sum, exponent: common)
    }

    /// Returns the exact difference; nil if the difference does not fit 128 bits.
    package func subtracting(_ other: Decimal) -> Decimal? {
        adding(-other)
    }

    /// Returns the exact product; nil if its significand does not fit 128 bits, or its exponent is beyond ±32768.
    package func multiplied(by other: Decimal) -> Decimal? {
        let (product, overflow) = significand.multipliedReportingOverflow(by: other.significand)
        let sum = exponent + other.exponent
        return overflow || product == .min || sum.magnitude > 1 << 15 ? nil : Decimal(product, exponent: sum)
    }

    /// Returns the product with a scale, rounded to the digits that the scale has.
    ///
    /// A scale with many digits is a rounded number, such as 9.313225746154785e-10 for 2^-30: further digits of the
    /// product mean nothing. A product with a scale of up to 7 digits, or with an exact power of 2, is exact.
    func scaled(by scale: Decimal) -> Decimal? {
        guard let product = multiplied(by: scale) else { return nil }
        return scale.significand.magnitude < 10_000_000 ? product : product.rounded(likeProductWith: scale)
    }

    @inline(never)
    private func rounded(likeProductWith scale: Decimal) -> Decimal {
        let scale = scale.normalized
        let digits = String(scale.significand.magnitude).utf8.count
        guard digits > 7, !scale.isBinaryFraction else { return self }
        let unit = orderOfMagnitude - digits
        guard exponent < unit, let rounded = steps(of: Decimal(1, exponent: unit)) else { return self }
        return Decimal(rounded, exponent: unit).normalized
    }

    /// Whether the number is a whole number times a negative power of 2; the number has the shortest significand.
    private var isBinaryFraction: Bool {
        guard exponent < 0 else { return true }
        var rest = significand
        for _ in 0..<(-exponent) {
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 5)
            guard remainder == 0, quotient != 0 else { return false }
            rest = quotient
        }
        return true
    }

    /// Returns the number divided by a step, rounded to the nearest whole number, halves away from zero.
    ///
    /// Returns nil if the step is 0 or the result does not fit 128 bits.
    package func steps(of step: Decimal) -> Int128? {
        guard step.significand != 0 else { return nil }
        let common = min(exponent, step.exponent)
        guard let dividend = significand.scaled(byPowerOfTen: exponent - common) else { return nil }
        guard let divisor = step.significand.scaled(byPowerOfTen: step.exponent - common) else {
            // With the decimal places of the number, the step has more than 127 bits.
            return dividend.magnitude < 1 << 126 ? 0 : nil
        }
        if divisor == -1 { return dividend == .min ? nil : -dividend }
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        guard remainder.magnitude >= divisor.magnitude - remainder.magnitude else { return quotient }
        return (dividend < 0) == (divisor < 0) ? quotient + 1 : quotient - 1
    }

    /// Returns the quotient with at least 20 digits; nil for a division by zero.
    ///
    /// If the operands have too many digits for 128 bits, they are rounded to 18 digits first.
    package func divided(by divisor: Decimal) -> Decimal? {
        if divisor == 1 { return self }
        return quotient(by: divisor) ?? shortened.quotient(by: divisor.shortened)
    }

    private func quotient(by divisor: Decimal) -> Decimal? {
        let places = orderOfMagnitude - divisor.orderOfMagnitude - 20
        let step = Decimal(divisor.significand, exponent: divisor.exponent + places)
        return steps(of: step).map { Decimal($0, exponent: places) }
    }

    /// Returns the number rounded to a number of decimal places, either to the nearest number or down.
    ///
    /// Returns nil if the result does not fit 128 bits.
    package func rounded(toPlaces places: Int, down: Bool = false) -> Decimal? {
        guard exponent < -places else { return self }
        let step = Decimal(1, exponent: -places)
        guard var steps = steps(of: step) else { return nil }
        if down, Decimal(steps, exponent: -places) > self { steps -= 1 }
        return Decimal(steps, exponent: -places)
    }

    /// The number rounded to at most 18 digits: the product and the quotient of two such numbers always fit 128 bits.
    var shortened: Decimal {
        let unit = orderOfMagnitude - 18
        guard exponent < unit, let digits = steps(of: Decimal(1, exponent: unit)) else { return self }
        return Decimal(digits, exponent: unit)
    }

    /// The position of the first digit relative to the decimal point: 1 for the numbers from 1 to 9.
    private var orderOfMagnitude: Int {
        String(significand.magnitude).utf8.count + exponent
    }

    package static prefix func - (value: Decimal) -> Decimal {
        Decimal(-value.significand, exponent: value.exponent)
    }

    package var magnitude: Decimal {
        significand < 0 ? -self : self
    }
}

extension Decimal: Comparable {
    package static func < (left: Decimal, right: Decimal) -> Bool {
        guard left.significand.signum() == right.significand.signum() else {
            return left.significand < right.significand
        }
        let common = min(left.exponent, right.exponent)
        let isNegative = left.significand < 0
        // A number that is too large for the decimal places of the other number has the larger magnitude.
        guard let first = left.significand.scaled(byPowerOfTen: left.exponent - common) else { return isNegative }
        guard let second = right.significand.scaled(byPowerOfTen: right.exponent - common) else { return !isNegative }
        return first < second
    }
}
