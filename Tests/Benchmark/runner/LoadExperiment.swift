import BenchmarkSupport

/// Values at one rate: their cost and their ages.
struct LoadExperiment: Experiment {
    let name: String
    private let mode: Subject.Mode
    private let referenceMode: Subject.Mode
    private let rate: Int
    private var cost: Figure
    private var ages: [Figure]

    /// - Parameters:
    ///   - name: The mode's name in the table.
    ///   - mode: The mode of Bluefleet, and of the reference unless `referenceMode` is given.
    ///   - referenceMode: The mode of the reference, if it differs.
    ///   - rate: Values per second.
    ///   - goal: The goal of the cost.
    ///   - latency: The goal of the 99th percentile of the ages; nil: without ages.
    init(
        _ name: String, _ mode: Subject.Mode, reference referenceMode: Subject.Mode? = nil, rate: Int,
        goal: Figure.Goal = .none, latency: Figure.Goal? = nil
    ) {
        self.name = "\(name): \(rate)/s"
        self.mode = mode
        self.referenceMode = referenceMode ?? mode
        self.rate = rate
        cost = Figure("\(self.name), CPU", "µs", goal)
        ages =
            latency.map { latency in
                [
                    Figure("\(name): \(rate)/s, age, median", "ms", decimals: 2),
                    Figure("\(name): \(rate)/s, age, 99 %", "ms", decimals: 2, latency),
                    Figure("\(name): \(rate)/s, age, greatest", "ms", decimals: 2),
                ]
            } ?? []
    }

    var figures: [Figure] { [cost] + ages }

    mutating func measure(_ kind: Subject.Kind, _ bench: Bench) throws {
        let load = try bench.withSubject(kind, kind == .reference ? referenceMode : mode) { subject, rig in
            try Load(rate: rate, of: subject, on: rig, for: bench.window)
        }
        cost.add(load.cost, of: kind)
        let samples = [load.ages.median, load.ages.percentile99, load.ages.greatest]
        for index in ages.indices { ages[index].add(Double(samples[index]) / 1000, of: kind) }
    }
}
