import BenchmarkSupport

/// Advertisements of unmanaged peripherals, while the bridge scans for a configured device that never advertises.
struct AdvertisementExperiment: Experiment {
    let name = "advertisements of unmanaged peripherals"
    private var cost = Figure("unmanaged advertisement: CPU", "µs", .ratio(atMost: 1.1))
    private var rate = Figure("unmanaged advertisements", "1/s", decimals: 0)

    var figures: [Figure] { [cost, rate] }

    mutating func measure(_ kind: Subject.Kind, _ bench: Bench) throws {
        var mode = Subject.Mode()
        mode.listens = true
        try bench.withSubject(kind, mode, devices: 1, unmanaged: 200) { subject, rig in
            try rig.flood.send(.advertisements, rate: nil)
            try pause(bench.window / 2)
            let first = try Moment(subject, rig)
            try pause(bench.window)
            let last = try Moment(subject, rig)
            try rig.flood.stop()
            let count = Double(last.count.sent - first.count.sent)
            cost.add(Double(last.processorTime - first.processorTime) / count / 1000, of: kind)
            rate.add(count / (last.time - first.time), of: kind)
        }
    }
}
