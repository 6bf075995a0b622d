import Codec
import Glibc
import JSON

/// Computes the values of a curve over time.
struct CurvePlayer {
    private let curve: Curve
    private var members: [CurvePlayer] = []
    /// The current position of a random walk.
    private var position = 0.0
    /// The index of the next value of a list.
    private var index = 0

    init(_ curve: Curve) {
        self.curve = curve
        switch curve {
        case .walk(let range, _): position = (range.lowerBound + range.upperBound) / 2
        case .record(let fields): members = fields.map { CurvePlayer($0.curve) }
        default: break
        }
    }

    /// Returns the next value.
    ///
    /// - Parameters:
    ///   - time: The time since the start of the simulation.
    ///   - generator: The generator of the random values.
    /// - Returns: The value.
    mutating func next(at time: Duration, using generator: inout SeededGenerator) -> Value {
        switch curve {
        case .constant(let value): return value
        case .ramp(let swing): return Curve.number(swing.from + (swing.to - swing.from) * swing.phase(at: time))
        case .sine(let swing):
            let middle = (swing.from + swing.to) / 2
            return Curve.number(middle + (swing.to - middle) * sin(2 * .pi * swing.phase(at: time)))
        case .walk(let range, let step):
            let moved = position + Double.random(in: -step...step, using: &generator)
            position = min(max(moved, range.lowerBound), range.upperBound)
            return Curve.number(position)
        case .list(let values):
            defer { index = (index + 1) % values.count }
            return values[index]
        case .record(let fields):
            var record = Record()
            for (index, field) in fields.enumerated() {
                record[field.name] = members[index].next(at: time, using: &generator)
            }
            return .record(record)
        }
    }
}

extension Curve.Swing {
    /// Returns the part of the period that has passed: from 0 to less than 1.
    func phase(at time: Duration) -> Double {
        let part = time / period
        return part - part.rounded(.down)
    }
}
