import BenchmarkSupport

/// Runs the experiments in rounds, Bluefleet and the reference in turn.
struct BenchmarkRun {
    private let options: Options
    private let bench: Bench

    init(_ options: Options, _ programs: Programs) {
        self.options = options
        bench = Bench(programs: programs, window: options.window)
    }

    private static var experiments: [any Experiment] {
        let signals = Subject.Mode()
        var unacknowledged = signals
        unacknowledged.qualityOfService = 0
        var descriptors = signals
        descriptors.usesDescriptors = true
        var unacknowledgedDescriptors = descriptors
        unacknowledgedDescriptors.qualityOfService = 0
        var shipped = signals
        shipped.pause = nil
        return [
            LoadExperiment("signals", signals, rate: 100),
            LoadExperiment(
                "signals", signals, rate: 1000, goal: .ratio(atMost: 1.25), latency: .ratio(atMost: 1.5)),
            LoadExperiment("signals", signals, rate: 5000),
            FloodExperiment("signals", signals),
            LoadExperiment("as shipped", shipped, reference: signals, rate: 100),
            LoadExperiment(
                "as shipped", shipped, reference: signals, rate: 1000, goal: .ratio(atMost: 0.5),
                latency: .value(atMost: 10)),
            LoadExperiment("as shipped", shipped, reference: signals, rate: 5000),
            FloodExperiment("as shipped", shipped, reference: signals),
            LoadExperiment("both with pauses", shipped, rate: 1000),
            LoadExperiment("both with pauses", shipped, rate: 5000),
            LoadExperiment("signals, QoS 0", unacknowledged, rate: 1000),
            FloodExperiment("signals, QoS 0", unacknowledged),
            LoadExperiment("descriptors", descriptors, rate: 100),
            LoadExperiment("descriptors", descriptors, rate: 1000),
            LoadExperiment("descriptors", descriptors, rate: 5000),
            FloodExperiment("descriptors", descriptors),
            LoadExperiment("descriptors, QoS 0", unacknowledgedDescriptors, rate: 1000),
            FloodExperiment("descriptors, QoS 0", unacknowledgedDescriptors),
            BurstExperiment(),
            CapacityExperiment("signals", signals, .ratioAtLeast(0.8)),
            CapacityExperiment("as shipped", shipped, .ratioAtLeast(0.8)),
            AdvertisementExperiment(),
            StartExperiment(),
            MemoryExperiment([
                (1, .none), (10, .value(atMost: 12)), (50, .none), (200, .value(atMost: 15)),
                (1000, .value(atMost: 30)),
            ]),
            InstructionExperiment(),
            SizeExperiment(),
        ]
    }

    /// The experiments selected on the command line.
    private func chosen() throws -> [any Experiment] {
        if let minutes = options.minutes { return [GrowthExperiment(minutes: minutes)] }
        guard let word = options.only else { return Self.experiments }
        let experiments = Self.experiments.filter { $0.figures.contains { $0.name.contains(word) } }
        if experiments.isEmpty {
            let names = Self.experiments.flatMap(\.figures).map(\.name).joined(separator: "\n")
            throw BenchmarkError("no figure has '\(word)' in its name; the figures are\n\(names)")
        }
        return experiments
    }

    func figures() throws -> [Figure] {
        var experiments = try chosen()
        for round in 1...options.rounds {
            for index in experiments.indices where round == 1 || !experiments[index].isExact {
                // Both are first equally often.
                for kind in round.isMultiple(of: 2) ? Subject.Kind.allCases.reversed() : Subject.Kind.allCases {
                    let name = experiments[index].name
                    Progress.show("round \(round) of \(options.rounds): \(name): \(kind.rawValue)")
                    try experiments[index].measure(kind, bench)
                }
            }
        }
        return experiments.flatMap(\.figures)
    }
}
