import BenchmarkSupport

/// Measures everything, round by round, ours and the reference in turn.
final class BenchmarkRun {
    private let options: Options
    private let programs: Programs

    init(_ options: Options, _ programs: Programs) {
        self.options = options
        self.programs = programs
    }

    func figures() throws -> [Figure] {
        var steady = Figure("CPU at 1000/s", "µs", .ratio(atMost: 1.25))
        var late = Figure("99th percentile at 1000/s", "µs", .ratio(atMost: 1.5))
        var flood = Figure("CPU in a flood", "µs")
        var rate = Figure("rate in a flood", "1/s", decimals: 0)
        var loss = Figure("lost in a flood", "‰")
        for round in 1...options.rounds {
            for kind in Subject.Kind.allCases {
                Progress.show("round \(round) of \(options.rounds): \(kind.rawValue)")
                let rig = try Rig(Rig.FleetSize(peripherals: 10), programs: programs)
                let subject = try Subject(kind, Subject.Mode(), on: rig, programs: programs)
                try subject.waitUntilSubscribed()
                let calm = try Load(rate: 1000, of: subject, on: rig, for: options.window)
                steady.add(calm.cost, of: kind)
                late.add(Double(calm.ages.percentile99), of: kind)
                let full = try Load(rate: nil, of: subject, on: rig, for: options.window)
                flood.add(full.cost, of: kind)
                rate.add(full.rate, of: kind)
                loss.add(full.loss, of: kind)
                subject.end()
            }
        }
        return [steady, late, flood, rate, loss]
    }
}
