import BenchmarkSupport
import Foundation

/// One line of the table: the samples of the bridges.
struct Figure {
    /// The goal of a figure.
    enum Goal {
        /// The maximum ratio to the reference.
        case ratio(atMost: Double)
        /// The minimum ratio to the reference.
        case ratioAtLeast(Double)
        /// The maximum value, independent of the reference.
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

    /// Returns the median of the samples.
    func value(of kind: Subject.Kind) -> Double? {
        Self.median(samples[kind] ?? [])
    }

    /// Returns the ratio of Bluefleet to another bridge: the median of the ratios of single rounds, in which both had the
    /// same conditions.
    func ratio(to kind: Subject.Kind) -> Double? {
        let pairs = zip(samples[.bluefleet] ?? [], samples[kind] ?? [])
        return Self.median(pairs.filter { $1 > 0 }.map { $0 / $1 })
    }

    private static func median(_ numbers: [Double]) -> Double? {
        let sorted = numbers.sorted()
        guard !sorted.isEmpty else { return nil }
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// Whether the goal is reached; nil without a goal or a sample.
    var isReached: Bool? {
        switch goal {
        case .ratio(let limit): ratio(to: .reference).map { $0 <= limit }
        case .ratioAtLeast(let limit): ratio(to: .reference).map { $0 >= limit }
        case .value(let limit): value(of: .bluefleet).map { $0 <= limit }
        case .none: nil
        }
    }
}
