import Codec
import JSON

extension Curve {
    /// The values with which a format is checked: both ends and the middle of a range, or all values of a list.
    var extremes: [Value] {
        switch self {
        case .constant(let value): return [value]
        case .ramp(let swing), .sine(let swing): return Self.numbers(swing.from, swing.to)
        case .walk(let range, _): return Self.numbers(range.lowerBound, range.upperBound)
        case .list(let values): return values
        case .record(let members):
            let extremes = members.map { ($0.name, $0.curve.extremes) }
            let count = extremes.map(\.1.count).max() ?? 0
            return (0..<count).map { index in
                .record(Record(extremes.map { ($0.0, $0.1[index % $0.1.count]) }))
            }
        }
    }

    private static func numbers(_ first: Double, _ second: Double) -> [Value] {
        [first, second, (first + second) / 2].map(number)
    }

    /// Returns a number rounded to millionths.
    static func number(_ value: Double) -> Value {
        .number(Decimal(Int128((value * 1e6).rounded()), exponent: -6))
    }
}
