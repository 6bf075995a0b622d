import Codec

extension Curve {
    /// Values between which all others lie.
    var extremes: [Value] {
        switch self {
        case .constant(let value): return [value]
        case .ramp(let swing), .sine(let swing): return [swing.from, swing.to].map(Self.number)
        case .walk(let range, _): return [range.lowerBound, range.upperBound].map(Self.number)
        case .list(let values): return values
        case .record(let members):
            let extremes = members.map { ($0.name, $0.curve.extremes) }
            let count = extremes.map(\.1.count).max() ?? 0
            return (0..<count).map { index in
                .record(Record(extremes.map { ($0.0, $0.1[index % $0.1.count]) }))
            }
        }
    }

    /// A number in millionths: finer steps are noise.
    static func number(_ value: Double) -> Value {
        .number(Decimal(Int128((value * 1e6).rounded()), exponent: -6))
    }
}
