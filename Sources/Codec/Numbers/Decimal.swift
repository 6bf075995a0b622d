/// An exact decimal number, `significand × 10^exponent`: what a scaled integer on the air means.
package struct Decimal: Sendable {
    package let significand: Int128
    package let exponent: Int

    package init(_ significand: some BinaryInteger, exponent: Int = 0) {
        self.significand = Int128(significand)
        self.exponent = exponent
    }

    package static let zero = Decimal(0)

    /// The same number with the shortest significand.
    package var normalized: Decimal {
        guard significand != 0 else { return .zero }
        // Two words take many times as long to divide as one.
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

    /// The nearest binary number, for those who need one.
    package var doubleValue: Double {
        Double(description) ?? .nan
    }

    /// The whole number this is; nil if it has decimal places or more digits than fit.
    package var wholeNumber: Int128? {
        let shortest = normalized
        return shortest.exponent >= 0 ? shortest.significand.scaled(byPowerOfTen: shortest.exponent) : nil
    }

    /// The same as an `Int`, if it fits.
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
    /// Takes the decimal number as it is written, as long as it has at most 15 significant digits.
    package init(floatLiteral value: Double) {
        guard let decimal = Decimal(value) else { preconditionFailure("\(value) is not a number") }
        self = decimal
    }
}

extension Int128 {
    /// This number times a power of ten; nil if it does not fit.
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
