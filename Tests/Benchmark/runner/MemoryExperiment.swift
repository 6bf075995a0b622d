import BenchmarkSupport

/// The memory of a bridge that is connected to many devices and publishes 500 values per second.
struct MemoryExperiment: Experiment {
    let name = "memory"
    let isExact = true
    /// In seconds: after this time the bridge has returned the memory of the start.
    static let settlingTime = 8.0
    private var figuresByDevices: [(devices: Int, figure: Figure)]

    init(_ goals: [(devices: Int, goal: Figure.Goal)]) {
        figuresByDevices = goals.map { devices, goal in
            (devices, Figure("resident memory, \(devices) \(devices == 1 ? "device" : "devices")", "MB", goal))
        }
    }

    var figures: [Figure] { figuresByDevices.map(\.figure) }

    mutating func measure(_ kind: Subject.Kind, _ bench: Bench) throws {
        var mode = Subject.Mode()
        mode.pause = nil
        for (index, (devices, _)) in figuresByDevices.enumerated() {
            try bench.withSubject(kind, mode, devices: devices) { subject, rig in
                try rig.flood.send(.values, rate: 500)
                try pause(Self.settlingTime)
                figuresByDevices[index].figure.add(try subject.usage.memory().resident, of: kind)
            }
        }
    }
}
