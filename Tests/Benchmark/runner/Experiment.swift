import BenchmarkSupport

/// Something that is measured of a bridge, and the lines of the table that come of it.
protocol Experiment {
    /// The name, shown as progress.
    var name: String { get }
    /// In the order of the table.
    var figures: [Figure] { get }
    /// Whether the result is always the same, so that one round is enough.
    var isExact: Bool { get }

    mutating func measure(_ kind: Subject.Kind, _ bench: Bench) throws
}

extension Experiment {
    var isExact: Bool { false }
}

/// The programs and settings of the experiments.
struct Bench {
    let programs: Programs
    /// How long one thing is measured at a time, in seconds.
    let window: Double
    /// The number of devices, unless an experiment is about their number.
    let devices: Int

    /// Calls `body` with a bridge that is subscribed to all devices.
    ///
    /// - Parameters:
    ///   - kind: The bridge.
    ///   - mode: The bridge's mode of operation.
    ///   - devices: The number of devices; nil: `self.devices`.
    ///   - unmanaged: The number of unmanaged peripherals.
    ///   - busQueues: Whether the bus queues messages without a limit.
    ///   - body: Called once.
    /// - Returns: The result of `body`.
    /// - Throws: An error of the rig, of the bridge or of `body`.
    func withSubject<Result>(
        _ kind: Subject.Kind, _ mode: Subject.Mode = Subject.Mode(), devices: Int? = nil, unmanaged: Int = 0,
        busQueues: Bool = false,
        _ body: (Subject, Rig) throws -> Result
    ) throws -> Result {
        let fleet = Rig.FleetSize(peripherals: devices ?? self.devices, unmanaged: unmanaged)
        let rig = try Rig(fleet, mode.fields, queues: busQueues, programs: programs)
        let subject = try Subject(kind, mode, on: rig, running: programs.command(of: kind))
        defer { subject.end() }
        try subject.waitUntilSubscribed()
        return try body(subject, rig)
    }
}
