import BenchmarkSupport

/// The instructions and allocations of one notification, counted by callgrind.
struct InstructionExperiment: Experiment {
    let name = "instructions (callgrind)"
    let isExact = true
    private var instructions = Figure("instructions per notification", "thousand")
    private var allocations = Figure("allocations per notification", "")

    var figures: [Figure] { [instructions, allocations] }

    mutating func measure(_ kind: Subject.Kind, _ bench: Bench) throws {
        guard kind == .bluefleet || bench.programs.hasOwnReference else { return }
        let cost = try NotificationCost(of: kind, programs: bench.programs)
        instructions.add(cost.instructions / 1000, of: kind)
        allocations.add(cost.allocations, of: kind)
    }
}
