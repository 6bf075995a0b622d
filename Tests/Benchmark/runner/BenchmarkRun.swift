import BenchmarkSupport

/// Runs the experiments in rounds, the bridges in turn.
struct BenchmarkRun {
    private let options: Options
    private let bench: Bench

    init(_ options: Options, _ programs: Programs) {
        self.options = options
        bench = Bench(programs: programs, window: options.window, devices: options.devices)
    }

    /// The experiments selected on the command line.
    private func chosen() throws -> [any Experiment] {
        if let minutes = options.minutes { return [GrowthExperiment(minutes: minutes)] }
        guard let word = options.only else { return Experiments.all }
        let experiments = Experiments.all.filter { $0.figures.contains { $0.name.contains(word) } }
        if experiments.isEmpty {
            let names = Experiments.all.flatMap(\.figures).map(\.name).joined(separator: "\n")
            throw BenchmarkError("no figure has '\(word)' in its name; the figures are\n\(names)")
        }
        return experiments
    }

    func figures() throws -> [Figure] {
        var experiments = try chosen()
        for round in 1...options.rounds {
            for index in experiments.indices where round == 1 || !experiments[index].isExact {
                // Each bridge is first equally often.
                let kinds = bench.programs.kinds
                for kind in kinds.indices.map({ kinds[($0 + round) % kinds.count] }) {
                    let name = experiments[index].name
                    Progress.show("round \(round) of \(options.rounds): \(name): \(kind.rawValue)")
                    try experiments[index].measure(kind, bench)
                }
            }
        }
        return experiments.flatMap(\.figures)
    }
}
