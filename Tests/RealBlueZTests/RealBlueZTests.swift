import Foundation
import Testing

/// Tests the built bridge with a real kernel and a real bluetoothd.
///
/// The machine (`machine/boot`) runs all scenarios once. A failed scenario shows its events and logs; all logs are in
/// `.build/tests/results`.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["BLUEFLEET_SKIP_REAL_BLUEZ"] != "1",
        "BLUEFLEET_SKIP_REAL_BLUEZ=1: no tests with a real bluetoothd"),
    .machine)
struct RealBlueZTests {
    @Test func `the machine runs every scenario`() async throws {
        let ran = try await Machine.shared.outcomes().keys
        #expect(!Scenario.all.isEmpty)
        #expect(Set(ran) == Set(Scenario.all.map(\.name)), "see the logs in \(Project.results.path)")
    }

    @Test(arguments: Scenario.all)
    func `on a real bluetoothd`(_ scenario: Scenario) async throws {
        guard let outcomes = try? await Machine.shared.outcomes() else {
            Issue.record("no scenario ran: see the test `the machine runs every scenario`")
            return
        }
        let outcome = try #require(outcomes[scenario.name], "did not run: see the logs in \(Project.results.path)")
        if !outcome.failure.isEmpty {
            Issue.record("\(outcome.failure)")
        }
        if !outcome.skipped.isEmpty {
            withKnownIssue("skipped: \(outcome.skipped)") { Issue.record("the scenario was skipped") }
        }
    }
}
