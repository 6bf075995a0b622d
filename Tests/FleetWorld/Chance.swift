import Foundation
import TestSupport

/// The random numbers of a simulated world.
final class Chance {
    private var generator: SeededGenerator
    /// The second number of a pair of normal numbers.
    private var spare: Double?

    init(seed: some BinaryInteger) {
        generator = SeededGenerator(seed: seed)
    }

    func uniform(_ low: Double, _ high: Double) -> Double {
        low + (high - low) * Double(generator.next() >> 11) * 0x1p-53
    }

    /// Returns whether an event with this probability happens.
    func happens(_ probability: Double) -> Bool {
        uniform(0, 1) < probability
    }

    func integer(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    func pick<Element>(_ elements: [Element]) -> Element {
        elements[integer(0...elements.count - 1)]
    }

    /// Returns a normally distributed number (Marsaglia's polar method).
    func normal(_ deviation: Double) -> Double {
        if let number = spare {
            spare = nil
            return number * deviation
        }
        while true {
            let (x, y) = (uniform(-1, 1), uniform(-1, 1))
            let square = x * x + y * y
            guard square < 1, square > 0 else { continue }
            let factor = (-2 * log(square) / square).squareRoot()
            spare = y * factor
            return x * factor * deviation
        }
    }

    /// Returns a random name of a process.
    func name() -> String {
        String(generator.next() >> 24, radix: 16)
    }
}
