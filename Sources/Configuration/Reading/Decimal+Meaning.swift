import Codec

extension Decimal {
    /// The number that a text of another notation probably means, for advice: `1/3`, `10^-2`, `x0.1`, `1_000` or `0b101`.
    ///
    /// - Parameter text: A text that is no number of the configuration.
    /// - Returns: nil if the text has no clear meaning.
    static func meant(by text: String) -> Decimal? {
        guard text.isShort else { return nil }
        var text = text.lowercased().filter { !" _".contains($0) }
        for (sign, minus) in [("\u{2212}", "-"), ("\u{2013}", "-"), ("minus", "-"), ("+", "")]
        where text.hasPrefix(sign) {
            text = minus + text.dropFirst(sign.count)
        }
        if let number = Decimal(text) ?? whole(text) ?? fractions[text] { return number }
        return quotient(text) ?? power(text) ?? factor(text)
    }

    private static let fractions: [String: Decimal] = [
        "\u{BD}": Decimal(5, exponent: -1), "\u{BC}": Decimal(25, exponent: -2), "\u{BE}": Decimal(75, exponent: -2),
    ]

    /// Returns a whole number with another base: `0b101`, `0o17`, `$FF` or `#FF`.
    private static func whole(_ text: String) -> Decimal? {
        for (prefix, radix) in [("0x", 16), ("$", 16), ("#", 16), ("0b", 2), ("0o", 8)] where text.hasPrefix(prefix) {
            return Int64(text.dropFirst(prefix.count), radix: radix).map { Decimal(Int($0)) }
        }
        return nil
    }

    /// Returns the quotient of `1/3`, or of a formula such as `value/10` or `/10`, rounded to 10 decimal places.
    private static func quotient(_ text: String) -> Decimal? {
        guard let (left, right) = text.cut(at: "/"), let divisor = Decimal(String(right)) else { return nil }
        guard let dividend = left.allSatisfy({ $0.isLetter }) ? Decimal(1) : Decimal(String(left)) else { return nil }
        guard let quotient = dividend.divided(by: divisor)?.rounded(toPlaces: 10), quotient != .zero else { return nil }
        return quotient.normalized
    }

    /// Returns the power of `10^-2` or `2**-3`.
    private static func power(_ text: String) -> Decimal? {
        guard let (base, exponent) = text.cut(at: "^") ?? text.cut(at: "**"), let exponent = Int(exponent),
            -20...20 ~= exponent, let base = Int(base), 2...10 ~= base
        else { return nil }
        let power = (0..<exponent.magnitude).reduce(Optional(Decimal(1))) { power, _ in
            power?.multiplied(by: Decimal(base))
        }
        guard exponent < 0, let power else { return power }
        return Decimal(1).divided(by: power)?.normalized
    }

    /// Returns the number of a factor such as `x0.1` or `value*0.1`.
    private static func factor(_ text: String) -> Decimal? {
        guard let start = text.lastIndex(where: { "*x\u{D7}".contains($0) }),
            start != text.startIndex || text.count > 1,
            text[..<start].allSatisfy({ $0.isLetter })
        else { return nil }
        return Decimal(String(text[text.index(after: start)...]))
    }
}

extension FixedWidthInteger {
    /// The whole number that a text of another notation probably means; nil if there is none.
    static func meant(by text: String) -> Self? {
        // A comma between groups of three digits.
        let groups = text.split(separator: ",", omittingEmptySubsequences: false)
        let areThousands = groups.count > 1 && groups.dropFirst().allSatisfy { $0.count == 3 }
        let text = areThousands ? groups.joined() : text
        guard let number = Decimal.meant(by: text)?.normalized, 0...18 ~= number.exponent else { return nil }
        return Self(number.description)
    }
}
