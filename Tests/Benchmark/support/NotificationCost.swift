import EventLoop
import Foundation
import System
import TestSupport

/// The cost of one notification in a bridge, counted by callgrind: independent of the machine's speed and load.
package struct NotificationCost {
    /// The executed instructions of user space, from the notification to the broker's acknowledgement.
    package let instructions: Double
    /// The calls of `malloc` and its relatives, including those of libdbus and libmosquitto.
    package let allocations: Double
    /// The bridge's own functions that run for at least a tenth of the notifications, by the linker's names.
    package let functions: Set<String>

    /// Values per part.
    ///
    /// The result is the cheapest part: periodic work, such as the report of each minute, only adds to a part. On a
    /// loaded machine the parts last longer, and several of them contain periodic work.
    private static let partSize = 20
    private static let parts = 10

    /// Counts with callgrind (Debian: `valgrind`); takes about ten seconds.
    package init(of kind: Subject.Kind, _ mode: Subject.Mode = Subject.Mode(), programs: Programs) throws {
        let rig = try Rig(Rig.FleetSize(peripherals: 10), programs: programs)
        let file = rig.folder.path("callgrind.out")
        let stripped = try programs.stripped(into: rig.folder)
        let subject = try Subject(
            kind, mode, on: rig, programs: stripped,
            under: [
                "valgrind", "--tool=callgrind", "--instr-atstart=no", "--demangle=no", "--callgrind-out-file=\(file)",
            ])
        try subject.waitUntilSubscribed()
        try Self.control(subject, "instrumentation", "on")
        // The first values pay for work that is done once, such as the first use of memory.
        try Self.send(20, to: subject, on: rig)
        try Self.control(subject, "zero")
        let profiles = try (1...Self.parts).map { part in
            try Self.send(Self.partSize, to: subject, on: rig)
            try Self.control(subject, "dump")
            return CallgrindProfile(try String(contentsOfFile: "\(file).\(part)", encoding: .utf8))
        }
        subject.end()
        instructions = Self.least(profiles.map(\.instructions))
        allocations = Self.least(profiles.map { $0.calls(of: Self.allocators) })
        let object = kind == .bluefleet ? stripped.bluefleet : stripped.reference[0]
        let called = profiles.map { Set($0.functions(of: object, calledAtLeast: Self.partSize / 10)) }
        functions = called.dropFirst().reduce(called[0]) { $0.intersection($1) }
    }

    /// Sends values in lock-step, so that few values and acknowledgements share a wake-up.
    ///
    /// Otherwise it depends on the load which values and acknowledgements share a wake-up, and a shared wake-up saves
    /// instructions. The broker is stopped until the bridge has published the value and waits again.
    private static func send(_ count: Int, to subject: Subject, on rig: Rig) throws {
        let everything = Quiescence(of: rig.processes + [subject.identifier])
        let withoutBroker = Quiescence(of: rig.processes.filter { $0 != rig.broker.identifier } + [subject.identifier])
        defer { rig.continueBroker() }
        for _ in 0..<count {
            try everything.wait()
            rig.stopBroker()
            try rig.flood.startSending(1)
            try withoutBroker.wait()
            rig.continueBroker()
            try rig.flood.waitUntilArrived()
        }
        try everything.wait()
    }

    /// Returns the cost of one value in the cheapest part.
    private static func least(_ numbers: [Int]) -> Double {
        Double(numbers.min() ?? 0) / Double(partSize)
    }

    private static let allocators = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"]

    /// Sends callgrind a command and waits until callgrind has executed it.
    private static func control(_ subject: Subject, _ words: String...) throws {
        let command = try Command("vgdb", ["--pid=\(subject.identifier)"] + words)
        let output = command.waitForOutput()
        guard command.wait() == .code(0) else { throw BenchmarkError("callgrind does not answer: \(output)") }
    }
}

extension Programs {
    /// Copies the programs without debugging information: valgrind reads it slowly, and does not understand every version of it.
    fileprivate func stripped(into folder: TemporaryFolder) throws -> Programs {
        let copies = Programs(in: URL(fileURLWithPath: folder.path))
        for (program, copy) in [(bluefleet, copies.bluefleet), (reference[0], copies.reference[0])]
        where FileManager.default.fileExists(atPath: program) {
            let strip = try Command("strip", ["--strip-debug", "-o", copy, program])
            guard strip.wait() == .code(0) else {
                throw BenchmarkError("cannot strip \(program): \(strip.output.rest())")
            }
        }
        return copies
    }
}
