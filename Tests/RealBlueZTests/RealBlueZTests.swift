import Foundation
import Testing

/// The built bridge on a real kernel and a real bluetoothd, with peripherals that tell what they saw.
///
/// The machine (`machine/boot`) runs everything once; a failing scenario shows what everybody wrote while it ran, and
/// all of the logs stay in `.build/tests/results`.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["BLUEFLEET_SKIP_REAL_BLUEZ"] != "1",
        "BLUEFLEET_SKIP_REAL_BLUEZ=1: NOTHING IS TESTED ON A REAL BLUETOOTHD"))
struct RealBlueZTests {
    @Test func `the machine runs every scenario`() async throws {
        let ran = try await Machine.shared.outcomes().keys
        #expect(!Scenario.all.isEmpty)
        #expect(Set(ran) == Set(Scenario.all.map(\.name)), "\(Project.results.path) has the logs")
    }

    @Test(arguments: Scenario.all)
    func `on a real bluetoothd`(_ scenario: Scenario) async throws {
        guard let outcomes = try? await Machine.shared.outcomes() else {
            Issue.record("no scenario ran: see `the machine runs every scenario`")
            return
        }
        let outcome = try #require(outcomes[scenario.name], "it did not run; \(Project.results.path) has the logs")
        if !outcome.failure.isEmpty {
            Issue.record("\(outcome.failure)")
        }
        if !outcome.notPlayed.isEmpty {
            withKnownIssue("not played: \(outcome.notPlayed)") { Issue.record("nothing was tested") }
        }
    }
}
