import BenchmarkSupport
import Foundation
import TestTraits
import Testing

/// Compares the cost of a notification in the release program with the stored counts; time and load have no influence.
@Suite(.ownThreads) struct NotificationCostTests {
    /// The largest cost of one notification.
    private struct Limit {
        let fields: Subject.Fields
        let arrival: NotificationCost.Arrival
        let instructions: Double
        let allocations: Double
    }

    /// The counts of the last deliberate change, for x86_64.
    ///
    /// Lower the counts after an improvement.
    private static let limits: [Limit] = [
        Limit(fields: .one, arrival: .single, instructions: 56_000, allocations: 12),
        Limit(fields: .one, arrival: .batch, instructions: 52_300, allocations: 14.9),
        Limit(fields: .several, arrival: .single, instructions: 63_800, allocations: 14),
        Limit(fields: .several, arrival: .batch, instructions: 60_600, allocations: 16.9),
    ]
    /// Room for other versions of the compiler, of libdbus and of libmosquitto.
    ///
    /// With the same versions, the counts of eight runs at loads of 1 to 11 differ by up to 2 %. A generic container on
    /// the path of a notification with several fields cost 110 % (Tests/Benchmark/README.md).
    private static let margin = 1.1

    /// Bluefleet as it is shipped: the debug build has other costs, and does not specialize generic code.
    private static let programs = Result {
        let flood = Programs.ownFolder.appendingPathComponent("BenchmarkFlood").path
        return Programs(in: try Programs.build(["bluefleet"]), flood: [flood])
    }

    @Test(arguments: Subject.Fields.allCases)
    func `a notification takes no more instructions and allocations than it did`(fields: Subject.Fields) throws {
        var mode = Subject.Mode()
        mode.fields = fields
        let costs = try NotificationCost.measure(.bluefleet, mode, programs: Self.programs.get())
        for limit in Self.limits where limit.fields == fields {
            let cost = try #require(costs[limit.arrival])
            let name = "\(fields.rawValue), \(limit.arrival)"
            print("\(name): \(cost.instructions) instructions, \(cost.allocations) allocations")
            #expect(cost.allocations <= limit.allocations * Self.margin, "\(name)")
            #if arch(x86_64)
                // Other processors have other instructions.
                #expect(cost.instructions <= limit.instructions * Self.margin, "\(name)")
            #endif
            // Code that the compiler did not specialize looks up its types for each notification.
            #expect(cost.typeLookups == [:], "\(name)")
            // The linker's list of hot functions is made of these names: the program's, and no shared library's.
            #expect(cost.functions.contains { $0.hasPrefix("$s9EventLoop") && $0.contains("4turn") })
            #expect(cost.functions.contains { $0.hasPrefix("$s5Codec") && $0.contains("decode") })
            #expect(!cost.functions.contains { $0.hasPrefix("dbus_") || $0.hasPrefix("mosquitto_") })
        }
    }
}
