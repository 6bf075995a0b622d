import BenchmarkSupport

/// The time from the start until all devices are connected and subscribed, and the wake-ups while they are silent.
struct StartExperiment: Experiment {
    let name = "start and silence"
    private static let devices = 50
    private var start = Figure("start to 50 devices subscribed", "ms", decimals: 0, .value(atMost: 1000))
    private var wakeUps = Figure("wake-ups, 50 silent devices", "1/s", decimals: 2, .value(atMost: 1))

    var figures: [Figure] { [start, wakeUps] }

    mutating func measure(_ kind: Subject.Kind, _ bench: Bench) throws {
        var mode = Subject.Mode()
        mode.pause = nil
        let rig = try Rig(Rig.FleetSize(peripherals: Self.devices), programs: bench.programs)
        let subject = try Subject(kind, mode, on: rig, running: bench.programs.command(of: kind))
        defer { subject.end() }
        start.add(Double(try subject.waitUntilSubscribed()) / 1000, of: kind)
        // After a few seconds the bridge has finished the work of the start.
        try pause(8)
        let first = try Moment(subject, rig)
        try pause(bench.window * 5)
        let last = try Moment(subject, rig)
        wakeUps.add(Double(last.wakeUps - first.wakeUps) / (last.time - first.time), of: kind)
    }
}
