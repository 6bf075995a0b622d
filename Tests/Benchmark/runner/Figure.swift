import BenchmarkSupport
import Foundation

/// One line of the table: what was measured, several times, of both.
struct Figure {
    /// What is to be reached.
    enum Goal {
        /// So many times the reference, at most.
        case ratio(atMost: Double)
        /// So many times the reference, at least.
        case ratioAtLeast(Double)
        /// So much, at most, whatever the reference does.
        case value(atMost: Double)
        case none
    }

    let name: String
    let unit: String
    let decimals: Int
    let goal: Goal
    private var samples: [Subject.Kind: [Double]] = [:]

    init(_ name: String, _ unit: String, decimals: Int = 1, _ goal: Goal = .none) {
        self.name = name
        self.unit = unit
        self.decimals = decimals
        self.goal = goal
    }

    mutating func add(_ sample: Double, of kind: Subject.Kind) {
        samples[kind, default: []].append(sample)
    }

    /// The median of what was measured.
    func value(of kind: Subject.Kind) -> Double? {
        Self.median(samples[kind] ?? [])
    }

    /// The bridge's part of the reference's: the median of the rounds' own ratios, in which both had the same weather.
    var ratio: Double? {
        let pairs = zip(samples[.bluefleet] ?? [], samples[.reference] ?? [])
        return Self.median(pairs.filter { $1 > 0 }.map { $0 / $1 })
    }

    private static func median(_ numbers: [Double]) -> Double? {
        let sorted = numbers.sorted()
        guard !sorted.isEmpty else { return nil }
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// Whether the goal is reached; nil: there is none, or it was not measured.
    var isReached: Bool? {
        switch goal {
        case .ratio(let limit): ratio.map { $0 <= limit }
        case .ratioAtLeast(let limit): ratio.map { $0 >= limit }
        case .value(let limit): value(of: .bluefleet).map { $0 <= limit }
        case .none: nil
        }
    }
}
