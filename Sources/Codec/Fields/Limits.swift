/// The least and the greatest value that can be written to a number, as configured.
package struct Limits: Sendable {
    package let least: Decimal
    package let greatest: Decimal
    /// The values that the bytes can represent; nil for a number that is not a whole number.
    private let possible: ClosedRange<Decimal>?

    /// Creates the limits; nil if a limit is missing that the bytes do not have.
    ///
    /// - Parameters:
    ///   - least: The configured least value; nil: that of the bytes.
    ///   - greatest: The configured greatest value; nil: that of the bytes.
    ///   - meaning: The scale and the offset of the number.
    ///   - raw: The raw numbers that the bytes can represent; nil for a number that is not a whole number.
    package init?(
        from least: Decimal?, to greatest: Decimal?, of meaning: Meaning, in raw: ClosedRange<Int128>?
    ) {
        possible = raw == nil ? nil : meaning.writableRange(raw)
        guard let least = least ?? possible?.lowerBound, let greatest = greatest ?? possible?.upperBound else {
            return nil
        }
        (self.least, self.greatest) = (least, greatest)
    }

    /// Why no number has these limits, and the key that is wrong; nil if the limits are valid.
    package var problem: (key: String, message: String)? {
        if let possible {
            let range = "the values of the bytes are \(possible.lowerBound) to \(possible.upperBound)"
            if !possible.contains(least) { return ("min", "\(least) cannot be written: \(range)") }
            if !possible.contains(greatest) { return ("max", "\(greatest) cannot be written: \(range)") }
        }
        return least < greatest ? nil : ("max", "\(greatest) is not greater than the least value, \(least)")
    }

    /// Restricts the values that can be written; all values are read.
    package func apply(to meaning: inout Meaning) {
        guard problem == nil else { return }
        meaning.range = least...greatest
        meaning.rangeIsForWriting = true
    }
}
