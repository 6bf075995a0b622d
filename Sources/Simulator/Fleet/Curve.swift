package import Codec

/// A value over time.
package indirect enum Curve: Sendable {
    case constant(Value)
    /// Rises evenly from the first number to the second and starts again.
    case ramp(Swing)
    /// Swings around the middle of its two numbers, beginning there.
    case sine(Swing)
    /// Goes a random part of `step` up or down with every reading, and never leaves the range.
    case walk(ClosedRange<Double>, step: Double)
    /// Each reading takes the next.
    case list([Value])
    /// Several fields, each with a curve of its own.
    case record([Member])

    /// A movement between two numbers that repeats itself.
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
