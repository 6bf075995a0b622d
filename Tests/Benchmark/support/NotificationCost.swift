import EventLoop
import Foundation
import TestSupport

/// What one notification costs a bridge, counted and not timed: on whatever machine, the same.
package struct NotificationCost {
    /// Instructions executed, from the wake-up to the broker's acknowledgement; the kernel's are not among them.
    package let instructions: Double
    /// Calls of `malloc` and its kin, those of libdbus and libmosquitto included.
    package let allocations: Double
    /// The bridge's own functions that each notification calls, or a few of them together, by the linker's names.
    package let functions: Set<String>

    /// Values to a part; of the parts, the median one counts. What is done now and then, such as the report of each minute,
    /// falls into one part only.
    private static let partSize = 40
    private static let parts = 5

    /// Counts with callgrind (Debian: `valgrind`); takes some ten seconds.
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
        try Self.tell(subject, "instrumentation", "on")
        // What is done once, such as a first use of memory, is not the notification's.
        try rig.flood.sendSingly(20)
        try Self.tell(subject, "zero")
        let profiles = try (1...Self.parts).map { part in
            try rig.flood.sendSingly(Self.partSize)
            try Self.tell(subject, "dump")
            return CallgrindProfile(try String(contentsOfFile: "\(file).\(part)", encoding: .utf8))
        }
        subject.end()
        instructions = Self.median(profiles.map(\.instructions))
        allocations = Self.median(profiles.map { $0.calls(of: Self.allocators) })
        let object = kind == .bluefleet ? stripped.bluefleet : stripped.reference[0]
        let called = profiles.map { Set($0.functions(of: object, calledAtLeast: Self.partSize / 10)) }
        functions = called.dropFirst().reduce(called[0]) { $0.intersection($1) }
    }

    /// What one value of the median part took.
    private static func median(_ numbers: [Int]) -> Double {
        Double(numbers.sorted()[numbers.count / 2]) / Double(partSize)
    }

    private static let allocators = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"]

    /// Tells callgrind what to do; it has done it when this returns.
    private static func tell(_ subject: Subject, _ words: String...) throws {
        let command = try Command("vgdb", ["--pid=\(subject.identifier)"] + words)
        let output = command.waitForOutput()
        guard command.wait() == .code(0) else { throw BenchmarkError("callgrind does not listen: \(output)") }
    }
}

extension Programs {
    /// Copies without debugging information, which valgrind reads for long and does not always understand.
    fileprivate func stripped(into folder: TemporaryFolder) throws -> Programs {
        let copies = Programs(in: URL(fileURLWithPath: folder.path))
        for (program, copy) in [(bluefleet, copies.bluefleet), (reference[0], copies.reference[0])]
        where FileManager.default.fileExists(atPath: program) {
            let strip = try Command("strip", ["--strip-debug", "-o", copy, program])
            guard strip.wait() == .code(0) else { throw BenchmarkError("cannot strip: \(strip.output.rest())") }
        }
        return copies
    }
}
