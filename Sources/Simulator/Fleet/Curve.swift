package import Codec

/// A value that may change over time.
package indirect enum Curve: Sendable {
    case constant(Value)
    /// Changes linearly from the first number to the second in each period, and then starts again.
    case ramp(Swing)
    /// Oscillates around the middle of two numbers, starting in the middle.
    case sine(Swing)
    /// Changes by a random amount between `-step` and `step` with each reading, and stays in the range.
    case walk(ClosedRange<Double>, step: Double)
    /// Gives each reading the next value; after the last value, the list starts again.
    case list([Value])
    /// Several fields, each with a curve of its own.
    case record([Member])

    /// A periodic movement between two numbers.
    package struct Swing: Sendable {
        package var from: Double
        package var to: Double
        package var period: Duration
    }

    package struct Member: Sendable {
        package var name: String
        package var curve: Curve
    }
}
