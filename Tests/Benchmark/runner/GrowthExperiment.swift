import BenchmarkSupport
import Foundation

/// The growth of the memory in a long flood.
struct GrowthExperiment: Experiment {
    let name = "growth"
    let isExact = true
    private let minutes: Int
    private var growth: Figure

    init(minutes: Int) {
        self.minutes = minutes
        growth = Figure("growth in \(minutes) min of flood", "MB", .value(atMost: 1))
    }

    var figures: [Figure] { [growth] }

    mutating func measure(_ kind: Subject.Kind, _ bench: Bench) throws {
        var mode = Subject.Mode()
        mode.pause = nil
        try bench.withSubject(kind, mode) { subject, rig in
            try rig.flood.send(.values, rate: nil)
            // The first minute fills caches and queues.
            try pause(60)
            let first = try subject.usage.memory()
            var last = first
            for minute in 1...minutes {
                try pause(60)
                last = try subject.usage.memory()
                let count = try rig.flood.count()
                let memory = String(format: "%.2f MB", last.resident)
                Progress.show("\(minute) min: \(memory), \(count.sent) sent, \(count.received) came through")
            }
            growth.add(last.anonymous - first.anonymous, of: kind)
        }
    }
}
