import BenchmarkSupport

/// The maximum rate without losses and without a growing delay.
struct CapacityExperiment: Experiment {
    let name: String
    private let mode: Subject.Mode
    private var capacity: Figure

    init(_ name: String, _ mode: Subject.Mode, _ goal: Figure.Goal) {
        self.name = "\(name): maximum rate"
        self.mode = mode
        capacity = Figure("\(name): maximum rate", "1/s", decimals: 0, goal)
    }

    var figures: [Figure] { [capacity] }

    mutating func measure(_ kind: Subject.Kind, _ bench: Bench) throws {
        let mode = kind == .reference ? Subject.Mode() : mode
        let rate = try bench.withSubject(kind, mode) { subject, rig in
            try Self.search { try Self.isSustained($0, subject, rig) }
        }
        capacity.add(Double(rate), of: kind)
    }

    /// Doubles the rate until it fails, then bisects the interval.
    private static func search(_ isSustained: (Int) throws -> Bool) throws -> Int {
        var good = 0
        var bad = 1000
        while bad < 256_000, try isSustained(bad) { (good, bad) = (bad, bad * 2) }
        while bad - good > bad / 16 {
            let middle = (good + bad) / 2
            if try isSustained(middle) { good = middle } else { bad = middle }
        }
        return good
    }

    private static func isSustained(_ rate: Int, _ subject: Subject, _ rig: Rig) throws -> Bool {
        let load = try Load(rate: rate, of: subject, on: rig, for: 1)
        return load.loss == 0 && load.backlog < 5 && load.rate > Double(rate) * 0.95
    }
}
