import Foundation
import Testing

/// Tests the page in Debian's chromium, with a simulated bluetoothd, a broker, the built bridge and the built dashboard.
///
/// A failed scene shows the end of the logs; all logs and a picture of its page are in `.build/tests/browser-results`.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["BLUEFLEET_SKIP_BROWSER"] != "1",
        "BLUEFLEET_SKIP_BROWSER=1: no tests in a browser"),
    .browser)
struct BrowserTests {
    @Test func `the browser plays every scene`() async throws {
        let played = try await Browser.shared.outcomes().keys
        #expect(!Scene.all.isEmpty)
        #expect(Set(played) == Set(Scene.all.map(\.name)))
    }

    @Test(arguments: Scene.all)
    func `in a browser`(_ scene: Scene) async throws {
        guard let outcomes = try? await Browser.shared.outcomes() else {
            Issue.record("no scene was played: see the test `the browser plays every scene`")
            return
        }
        let outcome = try #require(outcomes[scene.name], "the scene was not played")
        if !outcome.failure.isEmpty { Issue.record("\(outcome.failure)") }
    }
}
