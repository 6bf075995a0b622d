/// An exact decimal number, `significand × 10^exponent`: the value of a scaled whole number.
package struct Decimal: Sendable {
    /// The digits without the decimal point, at most 39 digits.
    package let significand: Int128
    /// The power of ten by which the significand is multiplied.
    package let exponent: Int

    package init(_ significand: some BinaryInteger, exponent: Int = 0) {
        self.significand = Int128(significand)
        self.exponent = exponent
    }

    package static let zero = Decimal(0)

    /// The same number with the shortest significand.
    package var normalized: Decimal {
        guard significand != 0 else { return .zero }
        // A 128-bit division takes many times as long as a 64-bit division.
        if let word = Int64(exactly: significand) { return Self.normalized(word, exponent) }
        return Self.normalized(significand, exponent)
    }

    private static func normalized(_ significand: some FixedWidthInteger, _ exponent: Int) -> Decimal {
        var (digits, places) = (significand, exponent)
        while digits.isMultiple(of: 10) {
            digits /= 10
            places += 1
        }
        return Decimal(digits, exponent: places)
    }

    /// The nearest floating-point number.
    package var doubleValue: Double {
        Double(description) ?? .nan
    }

    /// The number as a whole number; nil if it has decimal places or does not fit 128 bits.
    package var wholeNumber: Int128? {
        let shortest = normalized
        return shortest.exponent >= 0 ? shortest.significand.scaled(byPowerOfTen: shortest.exponent) : nil
    }

    /// The number as an `Int`; nil if it has decimal places or does not fit 64 bits.
    package var integer: Int? {
        wholeNumber.flatMap { Int(exactly: $0) }
    }
}

extension Decimal: Hashable {
    package static func == (left: Decimal, right: Decimal) -> Bool {
        if left.exponent == right.exponent { return left.significand == right.significand }
        let (left, right) = (left.normalized, right.normalized)
        return left.exponent == right.exponent && left.significand == right.significand
    }

    package func hash(into hasher: inout Hasher) {
        let shortest = normalized
        hasher.combine(shortest.significand)
        hasher.combine(shortest.exponent)
    }
}

extension Decimal: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) {
        self.init(value)
    }
}

extension Decimal: ExpressibleByFloatLiteral {
    /// Creates the decimal number of a literal with at most 15 significant digits.
    package init(floatLiteral value: Double) {
        guard let decimal = Decimal(value) else { preconditionFailure("\(value) is not a number") }
        self = decimal
    }
}

extension Int128 {
    /// Returns the number times a power of ten; nil if the product does not fit 128 bits.
    func scaled(byPowerOfTen power: Int) -> Int128? {
        guard self != 0 else { return 0 }
        guard power <= 38 else { return nil }
        var result = self
        for _ in 0..<power {
            let (product, overflow) = result.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            result = product
        }
        return result
    }
}
