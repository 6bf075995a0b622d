import BenchmarkSupport

/// Values at several rates: what each costs, and how late it comes.
struct LoadExperiment: Experiment {
    let name: String
    private let mode: Subject.Mode
    private let referenceMode: Subject.Mode
    private var lines: [Line]

    /// One rate, and what is told of it.
    private struct Line {
        /// How many a second; nil: as many as come through.
        let rate: Int?
        var cost: Figure
        /// Median, 99th percentile and greatest, or none of them.
        var ages: [Figure]
        /// The rate that came of it, what was lost, and what the rest of the rig took, in a flood.
        var flood: [Figure]
    }

    /// - Parameters:
    ///   - name: how the bridge works, for the table.
    ///   - referenceMode: how the reference works, if not in the same way.
    ///   - rates: values a second; nil: as many as come through.
    ///   - goal: what the cost at 1,000 a second is to be.
    ///   - latency: what the 99th percentile at 1,000 a second is to be; nil: it is not told.
    init(
        _ name: String, _ mode: Subject.Mode, reference referenceMode: Subject.Mode? = nil, rates: [Int?],
        goal: Figure.Goal = .none, latency: Figure.Goal? = nil
    ) {
        self.name = name
        self.mode = mode
        self.referenceMode = referenceMode ?? mode
        lines = rates.map { rate in
            let isUsual = rate == 1000
            let load = rate.map { "\($0)/s" } ?? "flood"
            let ages = [
                Figure("\(name): age at \(load), median", "ms", decimals: 2),
                Figure("\(name): age at \(load), 99 %", "ms", decimals: 2, latency ?? .none),
                Figure("\(name): age at \(load), greatest", "ms", decimals: 2),
            ]
            let flood = [
                Figure("\(name): flood, through", "1/s", decimals: 0), Figure("\(name): flood, lost", "%"),
                Figure("\(name): flood, all others' CPU", "µs"),
            ]
            return Line(
                rate: rate, cost: Figure("\(name): CPU, \(load)", "µs", isUsual ? goal : .none),
                ages: isUsual && latency != nil ? ages : [], flood: rate == nil ? flood : [])
        }
    }

    var figures: [Figure] {
        lines.map(\.cost) + lines.flatMap(\.ages) + lines.flatMap(\.flood)
    }

    mutating func measure(_ kind: Subject.Kind, _ bench: Bench) throws {
        lines = try bench.withSubject(kind, kind == .bluefleet ? mode : referenceMode, devices: 10) { subject, rig in
            try lines.map { line in
                var line = line
                let load = try Load(rate: line.rate, of: subject, on: rig, for: bench.window)
                line.cost.add(load.cost, of: kind)
                let ages = [load.ages.median, load.ages.percentile99, load.ages.greatest]
                for index in line.ages.indices { line.ages[index].add(Double(ages[index]) / 1000, of: kind) }
                let flood = [load.rate, load.loss, load.rigCost]
                for index in line.flood.indices { line.flood[index].add(flood[index], of: kind) }
                return line
            }
        }
    }
}
