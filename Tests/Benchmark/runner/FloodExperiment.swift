import BenchmarkSupport

/// Values at the maximum rate, with up to 1,000 values under way.
struct FloodExperiment: Experiment {
    let name: String
    private let mode: Subject.Mode
    private let referenceMode: Subject.Mode
    private var cost: Figure
    private var rate: Figure
    private var loss: Figure
    private var rigCost: Figure

    /// - Parameters:
    ///   - name: The mode's name in the table.
    ///   - mode: The mode of Bluefleet, and of the reference unless `referenceMode` is given.
    ///   - referenceMode: The mode of the reference, if it differs.
    init(_ name: String, _ mode: Subject.Mode, reference referenceMode: Subject.Mode? = nil) {
        self.name = "\(name): flood"
        self.mode = mode
        self.referenceMode = referenceMode ?? mode
        cost = Figure("\(name): flood, CPU", "µs")
        rate = Figure("\(name): flood, rate", "1/s", decimals: 0)
        loss = Figure("\(name): flood, lost", "%")
        rigCost = Figure("\(name): flood, rig CPU", "µs")
    }

    var figures: [Figure] { [cost, rate, loss, rigCost] }

    mutating func measure(_ kind: Subject.Kind, _ bench: Bench) throws {
        let load = try bench.withSubject(kind, kind == .reference ? referenceMode : mode) { subject, rig in
            try Load(rate: nil, of: subject, on: rig, for: bench.window)
        }
        cost.add(load.cost, of: kind)
        rate.add(load.rate, of: kind)
        loss.add(load.loss, of: kind)
        rigCost.add(load.rigCost, of: kind)
    }
}
