extension Decimal: LosslessStringConvertible {
    /// Reads a number as JSON writes it; nil for anything else and for more digits than 128 bits hold.
    package init?(_ text: String) {
        var rest = text.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        var significand: Int128 = 0
        func takeDigits() -> Int? {
            var count = 0
            while let digit = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit {
                let (product, isTooLarge) = significand.multipliedReportingOverflow(by: 10)
                let (sum, overflow) = product.addingReportingOverflow(Int128(digit - UInt8(ascii: "0")))
                guard !isTooLarge, !overflow else { return nil }
                significand = sum
                rest = rest.dropFirst()
                count += 1
            }
            return count > 0 ? count : nil
        }
        guard takeDigits() != nil else { return nil }
        var exponent = 0
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard let places = takeDigits() else { return nil }
            exponent = -places
        }
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            guard let power = Int(String(rest.dropFirst()) ?? ""), abs(power) <= 4096 else { return nil }
            exponent += power
            rest = rest.suffix(0)
        }
        guard rest.isEmpty else { return nil }
        self.init(isNegative ? -significand : significand, exponent: exponent)
    }

    /// Takes the shortest decimal text that names this binary number; nil for infinities and NaN.
    package init?(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
        self.init(value.description)
    }

    /// The exact number without needless zeros; with a power of ten where otherwise more than 20 zeros would stand there.
    package var description: String {
        let shortest = normalized
        let digits = String(shortest.significand.magnitude)
        let sign = shortest.significand < 0 ? "-" : ""
        let point = digits.utf8.count + shortest.exponent
        if (0...20).contains(shortest.exponent) {
            return sign + digits + String(repeating: "0", count: shortest.exponent)
        }
        if shortest.exponent < 0, point > 0 {
            return sign + digits.prefix(point) + "." + digits.dropFirst(point)
        }
        if (-20...0).contains(point) {
            return sign + "0." + String(repeating: "0", count: -point) + digits
        }
        let fraction = digits.dropFirst()
        return sign + digits.prefix(1) + (fraction.isEmpty ? "" : ".") + fraction + "e\(point - 1)"
    }
}
