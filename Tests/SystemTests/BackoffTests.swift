import System
import Testing

@Suite struct BackoffTests {
    @Test func `Backoff doubles each delay up to the longest and starts again after a reset`() {
        var backoff = Backoff(first: .seconds(1), longest: .seconds(5))
        #expect((1...4).map { _ in backoff.delay() } == [.seconds(1), .seconds(2), .seconds(4), .seconds(5)])
        backoff.reset()
        #expect(backoff.delay(share: 0) == .milliseconds(500))
        #expect(backoff.delay(share: 1) == .seconds(2))
    }

    @Test(arguments: [(-1, 2), (0, 2), (1, 4), (2, 8), (4, 20), (1_000_000, 20)])
    func `Backoff doubles the first delay once for each failure`(failures: Int, seconds: Int) {
        let delay = Backoff.delay(first: .seconds(2), longest: .seconds(20), afterFailures: failures)
        #expect(delay == .seconds(seconds))
    }
}
