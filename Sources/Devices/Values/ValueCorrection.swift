package import Codec
package import Configuration

/// The right value for a measured one: an entry of the key `adjust`.
package struct ValueCorrection: Sendable {
    /// The least number of decimal places to which a result that is not exact is rounded.
    package static let leastPlaces = 2

    /// The name of a characteristic or an advertised quantity, or CHARACTERISTIC.FIELD.
    package let name: String
    private let rule: Configuration.Adjustment.Rule

    package init(_ adjustment: Configuration.Adjustment) {
        name = adjustment.name
        rule = adjustment.rule
    }

    /// Returns the right value for a measured one.
    ///
    /// Sums, differences and products are exact. Other results have the decimal places of the measured value, and at
    /// least two.
    ///
    /// - Parameters:
    ///   - measured: The value as it was decoded.
    ///   - others: The other values of the packet, as they were decoded.
    /// - Returns: The value; nil if the formula has no result, as after a division by zero.
    package func right(for measured: Decimal, _ others: [(name: String, value: Value)]) -> Decimal? {
        switch rule {
        case .formula(let formula):
            let result = formula.value(with: others + [("value", .number(measured))])
            return formula.isExact ? result : result.flatMap { Self.rounded($0, like: measured) }
        case .points(let points): return interpolated(measured, points).flatMap { Self.rounded($0, like: measured) }
        }
    }

    /// Returns the number, rounded to the decimal places of another number or to the least number of places.
    package static func rounded(_ number: Decimal, like other: Decimal) -> Decimal? {
        number.rounded(toPlaces: max(-other.exponent, leastPlaces))
    }

    /// Returns the value on the straight line through the two nearest points.
    private func interpolated(_ measured: Decimal, _ points: [Configuration.Adjustment.Point]) -> Decimal? {
        let above = points.firstIndex { $0.measured > measured } ?? points.count - 1
        let (from, to) = (points[max(above, 1) - 1], points[max(above, 1)])
        guard let run = to.measured.subtracting(from.measured), let rise = to.right.subtracting(from.right),
            let distance = measured.subtracting(from.measured), let product = distance.multiplied(by: rise),
            let difference = product.divided(by: run)
        else { return nil }
        return from.right.adding(difference)
    }
}
