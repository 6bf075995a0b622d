import BenchmarkSupport
import Testing

/// Holds what a notification costs to what it has cost, by counting: no clock, and no other load, plays a part.
@Suite struct NotificationCostTests {
    /// What was counted, with this build of the tests (`swift build --build-tests`), the last time that it was meant to
    /// change: a change that makes it less lowers these.
    private static let instructions = 172_000.0
    private static let allocations = 39.0
    /// Other versions of the compiler and of the libraries do the same with a little more or less.
    private static let margin = 1.15

    @Test func `a notification takes no more instructions and allocations than it did`() throws {
        let cost = try NotificationCost(of: .bluefleet, programs: Programs(in: Programs.ownFolder))
        #expect(cost.allocations <= Self.allocations * Self.margin)
        #if arch(x86_64)
            // Other processors need others, and other numbers of them.
            #expect(cost.instructions <= Self.instructions * Self.margin)
        #endif
        // Of these the linker's list is made: of the program's own, by the names that the linker knows.
        #expect(cost.functions.contains { $0.hasPrefix("$s9EventLoop") && $0.contains("4turn") })
        #expect(cost.functions.contains { $0.hasPrefix("$s6Bridge7Channel") })
        #expect(!cost.functions.contains { $0.hasPrefix("dbus_") || $0.hasPrefix("mosquitto_") })
    }
}
