import BenchmarkSupport

/// The instructions, allocations and type lookups of one notification, counted by callgrind.
struct InstructionExperiment: Experiment {
    let name: String
    let isExact = true
    private let mode: Subject.Mode
    private var figuresByArrival: [NotificationCost.Arrival: Figures]

    private struct Figures {
        var instructions: Figure
        var allocations: Figure
        var typeLookups: Figure
    }

    init(_ fields: Subject.Fields) {
        name = "\(fields.rawValue): instructions (callgrind)"
        var mode = Subject.Mode()
        mode.fields = fields
        self.mode = mode
        figuresByArrival = Dictionary(
            uniqueKeysWithValues: NotificationCost.Arrival.allCases.map { arrival in
                let name = "\(fields.rawValue), \(arrival)"
                let figures = Figures(
                    instructions: Figure("\(name): instructions", "k"), allocations: Figure("\(name): allocations", ""),
                    typeLookups: Figure("\(name): type lookups", "", .value(atMost: 0)))
                return (arrival, figures)
            })
    }

    var figures: [Figure] {
        NotificationCost.Arrival.allCases.compactMap { figuresByArrival[$0] }
            .flatMap { [$0.instructions, $0.allocations, $0.typeLookups] }
    }

    mutating func measure(_ kind: Subject.Kind, _ bench: Bench) throws {
        guard kind != .reference || bench.programs.hasOwnReference else { return }
        for (arrival, cost) in try NotificationCost.measure(kind, mode, programs: bench.programs) {
            figuresByArrival[arrival]?.instructions.add(cost.instructions / 1000, of: kind)
            figuresByArrival[arrival]?.allocations.add(cost.allocations, of: kind)
            figuresByArrival[arrival]?.typeLookups.add(cost.typeLookups.values.reduce(0, +), of: kind)
            for (function, calls) in cost.typeLookups.sorted(by: { $0.key < $1.key }) {
                Progress.show("\(kind.rawValue), \(arrival): \(calls) × \(function)")
            }
        }
    }
}
