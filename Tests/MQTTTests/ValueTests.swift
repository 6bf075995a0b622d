import System
import Testing

@testable import MQTT

@Suite struct ValueTests {
    @Test(arguments: ["a", "/", "a/b c/ü", "$SYS/x", String(repeating: "a", count: 65_535)])
    func `Topic accepts a valid topic`(text: String) throws {
        #expect(try Topic(text).description == text)
    }

    @Test(arguments: ["", "a/+", "#", "a\u{0}b", "a\nb", "a\u{7f}", "\u{ffff}", String(repeating: "a", count: 65_536)])
    func `Topic rejects an invalid topic`(text: String) {
        #expect(throws: TopicError.self) { try Topic(text) }
    }

    @Test(arguments: ["a", "+", "#", "a/+/b", "a/#", "+/+/#", "/+", "$share/group/a/+"])
    func `TopicFilter accepts a valid filter`(text: String) throws {
        #expect(try TopicFilter(text).description == text)
    }

    @Test(arguments: ["", "a+", "a/b+", "a#", "#/a", "a/#/b", "+a", "a\u{0}"])
    func `TopicFilter rejects an invalid filter`(text: String) {
        #expect(throws: TopicError.self) { try TopicFilter(text) }
    }

    @Test(
        arguments: [
            ("a/b", "a/b", true), ("a/b", "a/b/c", false), ("a/+", "a/b", true), ("a/+", "a", false),
            ("a/+", "a/", true),
            ("a/#", "a", true), ("a/#", "a/b/c", true), ("#", "a", true), ("#", "$SYS/a", false),
            ("+/a", "$SYS/a", false),
            ("$SYS/#", "$SYS/a", true), ("a/+/c", "a/b/c", true), ("a/+/c", "a/b/d", false), ("+", "/a", false),
            ("+/+", "/a", true), ("a/b/#", "a", false),
        ] as [(TopicFilter, Topic, Bool)])
    func `TopicFilter matches topics by the rules of MQTT`(filter: TopicFilter, topic: Topic, matches: Bool) {
        #expect(filter.matches(topic) == matches)
    }

    @Test(arguments: [("a", 5), ("#", 4), ("a/#", 5), ("ab/+/c", 9), ("+/+", 5), ("$share/group/ab/+", 7)])
    func `TopicFilter returns the length of the shortest message that it matches`(filter: String, length: Int) throws {
        #expect(try TopicFilter(filter).smallestMessage == length)
    }

    @Test func `Backoff doubles its delays up to a limit, and starts again after a reset`() {
        var backoff = Backoff(first: .seconds(1), longest: .seconds(5))
        #expect((1...5).map { _ in backoff.delay(share: 1) } == [1, 2, 4, 5, 5].map { .seconds($0) })
        backoff.reset()
        #expect(backoff.delay(share: 0) == .milliseconds(500))
    }

    @Test func `Refusal describes its reason and the remedy`() {
        #expect(Refusal(code: 4).reason == .badCredentials)
        #expect(Refusal(code: 135).description.contains("check username"))
        #expect(Refusal(code: 151, explanation: "too many").description == "Quota exceeded (too many)")
    }

    @Test(arguments: [
        (Endpoint.tcp(host: "127.0.0.1", port: 1), false), (.tcp(host: "::1", port: 1), false),
        (.tcp(host: "fe80::1%lo", port: 1), false), (.tcp(host: "localhost", port: 1), false),
        (.unix(path: "/run/mosquitto.sock"), false), (.tcp(host: "broker.example", port: 1), true),
    ])
    func `only the name of another host needs a lookup`(endpoint: Endpoint, needsLookup: Bool) {
        #expect(endpoint.needsLookup == needsLookup)
    }
}
