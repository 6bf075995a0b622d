import System
import Testing

@Suite struct DurationTextTests {
    @Test(arguments: [
        (Duration.zero, "0ms"), (.seconds(0.9543023909261596), "954ms"), (.milliseconds(999), "999ms"),
        (.seconds(1), "1s"), (.seconds(1.26), "1.3s"), (.seconds(30), "30s"), (.seconds(59.97), "60s"),
        (.seconds(60), "1m"), (.seconds(90.2), "90s"), (.seconds(600), "10m"), (.seconds(7200), "2h"),
        (.seconds(7 * 86_400), "7d"),
    ])
    func `text rounds a duration for a reader`(duration: Duration, text: String) {
        #expect(duration.text == text)
    }

    @Test(arguments: [
        (Duration.zero, "0ms"), (.milliseconds(1500), "1500ms"), (.seconds(90), "90s"), (.seconds(600), "10m"),
        (.seconds(7 * 86_400), "7d"),
    ])
    func `exactText keeps each millisecond of a duration`(duration: Duration, text: String) {
        #expect(duration.exactText == text)
    }
}
