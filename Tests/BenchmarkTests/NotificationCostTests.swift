import BenchmarkSupport
import Testing

/// Compares the cost of a notification with the stored counts; time and load have no influence.
@Suite struct NotificationCostTests {
    /// The counts of the last deliberate change, with this build of the tests (`swift build --build-tests`).
    ///
    /// Lower the counts after an improvement.
    private static let instructions = 171_000.0
    private static let allocations = 38.0
    /// Other versions of the compiler and of the libraries need slightly different counts.
    private static let margin = 1.15

    @Test func `a notification takes no more instructions and allocations than it did`() throws {
        let cost = try NotificationCost(of: .bluefleet, programs: Programs(in: Programs.ownFolder))
        print("a notification: \(cost.instructions) instructions, \(cost.allocations) allocations")
        #expect(cost.allocations <= Self.allocations * Self.margin)
        #if arch(x86_64)
            // Other processors have other instructions.
            #expect(cost.instructions <= Self.instructions * Self.margin)
        #endif
        // The linker's list of hot functions is made of these names: the program's own, and no library's.
        #expect(cost.functions.contains { $0.hasPrefix("$s9EventLoop") && $0.contains("4turn") })
        #expect(cost.functions.contains { $0.hasPrefix("$s6Bridge21CharacteristicBinding") })
        #expect(!cost.functions.contains { $0.hasPrefix("dbus_") || $0.hasPrefix("mosquitto_") })
    }
}
