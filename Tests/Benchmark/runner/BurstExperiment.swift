import BenchmarkSupport

/// A burst of values, as fast as a bus with queues accepts them.
struct BurstExperiment: Experiment {
    let name = "burst"
    private static let count = 50_000
    private var rate = Figure("burst of \(count), through", "1/s", decimals: 0)
    private var loss = Figure("burst of \(count), lost", "%", .value(atMost: 0))
    private var memory = Figure("burst of \(count), most memory", "MB")

    var figures: [Figure] { [rate, loss, memory] }

    mutating func measure(_ kind: Subject.Kind, _ bench: Bench) throws {
        var mode = Subject.Mode()
        if kind != .reference { mode.pause = nil }
        try bench.withSubject(kind, mode, busQueues: true) { subject, rig in
            try pause(MemoryExperiment.settlingTime)
            let start = try Moment(subject, rig)
            try rig.flood.sendBurst(Self.count)
            var last = start
            var most = 0.0
            var silence = 0.0
            while last.count.received - start.count.received < Self.count, silence < 3 {
                try pause(0.05)
                let now = try Moment(subject, rig)
                silence = now.count.received > last.count.received ? 0 : silence + 0.05
                if silence == 0 { last = now }
                most = max(most, try subject.usage.memory().resident)
            }
            let received = Double(last.count.received - start.count.received)
            rate.add(received / (last.time - start.time), of: kind)
            loss.add(100 * (1 - received / Double(Self.count)), of: kind)
            memory.add(most, of: kind)
        }
    }
}
