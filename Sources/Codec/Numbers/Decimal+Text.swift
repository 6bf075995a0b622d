import Bluetooth

extension Decimal: LosslessStringConvertible {
    /// Parses a number in the notation of JSON; nil for any other text, and if the digits do not fit 128 bits.
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
            guard let power = Int(String(rest.dropFirst()) ?? ""), -4096...4096 ~= power else { return nil }
            exponent += power
            rest = rest.suffix(0)
        }
        guard rest.isEmpty else { return nil }
        self.init(isNegative ? -significand : significand, exponent: exponent)
    }

    /// Creates the number from the shortest decimal text of a floating-point number; nil for infinities and NaN.
    package init?(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
        self.init(value.description)
    }

    /// The exact number as text, without superfluous zeros, and with a power of ten instead of more than 20 zeros.
    package var description: String {
        var text: [UInt8] = []
        append(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text of the number to a text in UTF-8.
    package func append(to text: inout [UInt8]) {
        let shortest = normalized
        let zero = UInt8(ascii: "0")
        // 128 bits have at most 39 digits, which are calculated from the last digit on.
        var places = InlineArray<39, UInt8>(repeating: zero)
        var first = places.count
        var rest = shortest.significand.magnitude
        // A 128-bit division takes many times as long as a 64-bit division.
        while rest > UInt64.max {
            first -= 1
            places[first] = zero + UInt8(rest % 10)
            rest /= 10
        }
        var word = UInt64(rest)
        repeat {
            first -= 1
            places[first] = zero + UInt8(word % 10)
            word /= 10
        } while word > 0

        let digits = places.span.extracting(first...)
        let point = digits.count + shortest.exponent
        if shortest.significand < 0 { text.append(UInt8(ascii: "-")) }
        if (0...20).contains(shortest.exponent) {
            text.append(copying: digits)
            text.append(contentsOf: repeatElement(zero, count: shortest.exponent))
        } else if shortest.exponent < 0, point > 0 {
            text.append(copying: digits.extracting(..<point))
            text.append(UInt8(ascii: "."))
            text.append(copying: digits.extracting(point...))
        } else if (-20...0).contains(point) {
            text += "0.".utf8
            text.append(contentsOf: repeatElement(zero, count: -point))
            text.append(copying: digits)
        } else {
            text.append(digits[0])
            if digits.count > 1 { text.append(UInt8(ascii: ".")) }
            text.append(copying: digits.extracting(1...))
            text += "e\(point - 1)".utf8
        }
    }
}
