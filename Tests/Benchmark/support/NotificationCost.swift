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
    /// The functions of the program that run for at least a tenth of the notifications, by the linker's names.
    ///
    /// In a program with the static runtime, they include functions of the runtime.
    package let functions: Set<String>
    /// The calls of functions that look up types and conformances at run time, by the linker's names.
    ///
    /// Only functions that run for each notification. Generic code that the compiler did not specialize calls them.
    package let typeLookups: [String: Double]

    /// The number of notifications per wake-up of the bridge.
    package enum Arrival: Int, CaseIterable, Sendable {
        case single = 1
        case batch = 10
    }

    /// The number of wake-ups with notifications per part.
    ///
    /// The result is the cheapest part: periodic work, such as the report of each minute, only adds to a part. On a
    /// loaded machine the parts last longer, and several of them contain periodic work.
    private static let partSize = 20
    private static let parts = 10

    /// Counts with callgrind (Debian: `valgrind`); takes about ten seconds.
    ///
    /// In a mode with a pause, the counts depend on the load of the machine.
    package static func measure(
        _ kind: Subject.Kind, _ mode: Subject.Mode = Subject.Mode(), programs: Programs
    ) throws -> [Arrival: Self] {
        let rig = try Rig(Rig.FleetSize(peripherals: 10), mode.fields, programs: programs)
        var command = try programs.command(of: kind)
        if kind != .reference || programs.hasOwnReference {
            command[0] = try Callgrind.strippedCopy(of: command[0], in: rig.folder)
        }
        let profiler = try Profiler(kind, mode, on: rig, running: command)
        var costs: [Arrival: Self] = [:]
        for arrival in Arrival.allCases {
            let profiles = try profiler.profiles(Self.parts, of: Self.partSize, arrival)
            costs[arrival] = Self(profiles, of: command[0], values: Self.partSize * arrival.rawValue)
        }
        return costs
    }

    private init(_ profiles: [CallgrindProfile], of program: String, values: Int) {
        /// Returns the cost of one value in the cheapest part.
        func least(_ numbers: [Int]) -> Double { Double(numbers.min() ?? 0) / Double(values) }

        instructions = least(profiles.map(\.instructions))
        allocations = least(profiles.map { $0.calls(of: Self.allocators) })
        functions = Self.common(profiles.map { Set($0.functions(of: program, calledAtLeast: values / 10)) })
        let lookups = Self.common(
            profiles.map { profile in
                Set(profile.callsByFunction.filter { $1 >= values && Self.looksUpTypes($0) }.keys)
            })
        typeLookups = Dictionary(
            uniqueKeysWithValues: lookups.map { name in
                (String(name), least(profiles.map { $0.callsByFunction[name] ?? 0 }))
            })
    }

    private static func common<Element>(_ sets: [Set<Element>]) -> Set<Element> {
        sets.dropFirst().reduce(sets.first ?? []) { $0.intersection($1) }
    }

    private static let allocators = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"]

    /// Functions of the Swift runtime, also as parts of the names of its C++ functions.
    private static let lookups = [
        "swift_getGenericMetadata", "swift_getTupleTypeMetadata", "swift_getFunctionTypeMetadata",
        "swift_getExistentialTypeMetadata", "swift_getMetatypeMetadata", "swift_getForeignTypeMetadata",
        "swift_getOpaqueTypeMetadata", "swift_getTypeByMangledName", "swift_checkMetadataState",
        "swift_getWitnessTable", "swift_getAssociatedTypeWitness", "swift_getAssociatedConformanceWitness",
        "swift_conformsToProtocol", "swift_dynamicCast",
    ]

    private static func looksUpTypes(_ function: Substring) -> Bool {
        lookups.contains { function.contains($0) }
    }
}

/// A bridge that runs in callgrind.
private final class Profiler {
    private let subject: Subject
    private let rig: Rig
    /// Nil if the bridge pauses: a bridge that sleeps in a pause looks idle.
    private let lockstep: Lockstep?
    private var callgrind: Callgrind

    /// Starts a bridge, and waits until it is subscribed.
    init(_ kind: Subject.Kind, _ mode: Subject.Mode, on rig: Rig, running program: [String]) throws {
        let file = rig.folder.path("callgrind.out")
        subject = try Subject(kind, mode, on: rig, running: program, under: Callgrind.words(writingTo: file))
        callgrind = Callgrind(subject.identifier, writingTo: file)
        self.rig = rig
        lockstep = mode.pause == 0 ? Lockstep(subject, on: rig) : nil
        try subject.waitUntilSubscribed()
        try callgrind.start()
        try waitForCallgrind()
    }

    deinit {
        subject.end()
    }

    /// Returns the profiles of `count` parts, each of `size` wake-ups with notifications.
    func profiles(_ count: Int, of size: Int, _ arrival: NotificationCost.Arrival) throws -> [CallgrindProfile] {
        // The first values pay for work that is done once, such as the first use of memory.
        try send(size, arrival)
        try callgrind.reset()
        try waitForCallgrind()
        return try (0..<count).map { _ in
            try send(size, arrival)
            let profile = try callgrind.profile()
            try waitForCallgrind()
            return profile
        }
    }

    /// Waits until valgrind, which sleeps after a command, runs the bridge again.
    private func waitForCallgrind() throws {
        try Quiescence(of: [subject.identifier]).wait(lasting: 150_000)
    }

    private func send(_ count: Int, _ arrival: NotificationCost.Arrival) throws {
        for _ in 0..<count {
            if let lockstep {
                try lockstep.send(arrival.rawValue)
            } else {
                try rig.flood.sendTogether(arrival.rawValue)
                try rig.flood.waitUntilArrived()
            }
        }
    }
}
