import Foundation
import TestSupport

/// Sends values to a bridge in steps, so that the values of a step share one wake-up, and their acknowledgements another.
///
/// Otherwise it depends on the load of the machine which values and acknowledgements share a wake-up, and a shared wake-up
/// saves instructions. The bridge is stopped while the flood, the bus and the broker work, and the broker while the
/// bridge works.
struct Lockstep {
    private let subject: Subject
    private let rig: Rig
    private let processes: Quiescence

    init(_ subject: Subject, on rig: Rig) {
        self.subject = subject
        self.rig = rig
        processes = Quiescence(of: rig.processes + [subject.identifier])
    }

    /// Sends `count` values at once, and returns when the bridge has received their acknowledgements.
    func send(_ count: Int) throws {
        let bridge = subject.identifier
        guard let broker = rig.broker.identifier else { throw BenchmarkError("the broker has ended") }
        defer {
            for process in [bridge, broker] { kill(process, SIGCONT) }
        }
        try processes.wait()
        for process in [bridge, broker] { kill(process, SIGSTOP) }
        try processes.wait()
        try rig.flood.sendTogether(count)
        try processes.wait()
        kill(bridge, SIGCONT)
        try processes.wait()
        kill(bridge, SIGSTOP)
        try processes.wait()
        kill(broker, SIGCONT)
        try rig.flood.waitUntilArrived()
        try processes.wait()
        kill(bridge, SIGCONT)
        try processes.wait()
    }
}
