import Testing

@testable import Bridge

@Suite struct DurationTextTests {
    @Test(arguments: [
        (Duration.zero, "0ms"), (.seconds(0.9543023909261596), "954ms"), (.milliseconds(999), "999ms"),
        (.seconds(1), "1s"),
        (.seconds(1.26), "1.3s"), (.seconds(30), "30s"), (.seconds(59.97), "60s"), (.seconds(60), "1m"),
        (.seconds(90.2), "90s"), (.seconds(600), "10m"), (.seconds(7200), "2h"), (.seconds(7 * 86_400), "7d"),
    ])
    func `durations are told as precisely as people want to know`(duration: Duration, text: String) {
        #expect(duration.text == text)
    }
}
