import JSON
import MQTT
import System
import TestSupport
import TestTraits
import Testing

@testable import Bridge
@testable import Contract

/// The Response Topics of requests: which of them are used, and what happens if the broker denies one.
@Suite(.ownThreads) struct ResponseTopicsTests {
    private static func instant(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }

    @Test func `after three denied topics no new one of their first level is used for an hour`() {
        var topics = ResponseTopics(prefix: "bluefleet", gateway: "attic", discoveryPrefix: "homeassistant")
        func mayUse(_ topic: Topic, at second: Int64) -> Bool {
            topics.mayUse(topic, at: Self.instant(second)) { _ in false }
        }
        func deny(_ topic: Topic, at second: Int64) -> Bool { topics.deny(topic, at: Self.instant(second)) }
        let denied: [Topic] = ["a/1", "a/2", "a/3"]
        for (second, topic) in zip(Int64(1)..., denied) {
            #expect(mayUse(topic, at: second))
            #expect(deny(topic, at: second))
            #expect(!deny(topic, at: second))
            #expect(!mayUse(topic, at: second))
        }
        #expect(!mayUse("a/4", at: 3600))
        #expect(mayUse("b", at: 3600))
        #expect(mayUse("a/4", at: 3601))
    }

    @Test func `a Response Topic that the broker has accepted stays in use when others are denied`() throws {
        var topics = ResponseTopics(prefix: "bluefleet", gateway: "attic", discoveryPrefix: nil)
        topics.accept("clients/good")
        for number in 1...40 { _ = topics.deny(try Topic("clients/\(number)"), at: Self.instant(0)) }
        func mayUse(_ topic: Topic) -> Bool { topics.mayUse(topic, at: Self.instant(1)) { _ in false } }
        #expect(mayUse("clients/good"))
        #expect(!mayUse("clients/new"))
        // After 30 denied topics, no new one is tried.
        #expect(!mayUse("others/new"))
        topics.accept("others/good")
        // Clients of an accepted first level do not suffer from those of others.
        #expect(mayUse("others/new"))
        _ = topics.deny("clients/good", at: Self.instant(1))
        #expect(!mayUse("clients/good"))
        for number in 1...1000 { topics.accept(try Topic("x/\(number)")) }
    }

    @Test func `a client with a denied Response Topic does not take that of another client`() throws {
        let scenario = Scenario.house(Scenario.relay).with { scenario in
            scenario.broker.accessRules = "topic readwrite bluefleet/#\ntopic readwrite good/#\ntopic read private/#\n"
        }
        try withFixture(scenario) { fixture in
            func ask(_ topic: Topic, answeredOn answer: String) async throws {
                let properties = MQTT.Message.Properties(responseTopic: topic)
                fixture.publish(Message("bluefleet/relay/state/get", [], properties: properties))
                _ = try await fixture.recorder.next(answer)
            }
            try await ask("good/client", answeredOn: "good/client")
            for number in 1...4 {
                try await ask(Topic("private/\(number)"), answeredOn: "bluefleet/relay/response/get")
            }
            try await ask("good/client", answeredOn: "good/client")
        }
    }

    @Test func `topics that programs take for requests, states or discovery are not used`() {
        var topics = ResponseTopics(prefix: "house/ble", gateway: "attic", discoveryPrefix: "homeassistant")
        func mayUse(_ topic: Topic) -> Bool {
            topics.mayUse(topic, at: Self.instant(0)) { ["lamp", "floor/lamp"].contains($0) }
        }
        let refused: [Topic] = [
            "$SYS/x", "house/ble", "house/ble/lamp/state", "house/ble/lamp/level/set", "house/ble/lamp/response/set",
            "house/ble/bridge/attic/request/response", "house/ble/bridge/cellar/response/scan",
            "house/ble/bridge/response", "house/ble/bridge/attic/state/response",
            // Readings of devices with the names `response` and `other/response`, at once and late, at any gateway.
            "house/ble/response/temperature", "house/ble/other/response/temperature",
            "house/ble/bridge/attic/late/response/temperature", "house/ble/bridge/attic/late/lamp/response/level",
            "homeassistant/device/x/config", "homeassistant",
        ]
        for topic in refused { #expect(!mayUse(topic), "\(topic)") }
        let used: [Topic] = [
            "house/blue", "clients/1", "house/ble/bridge/attic/response/client", "homeassistant2/x",
            "house/ble/lamp/response/client/1", "house/ble/floor/lamp/response/client",
        ]
        for topic in used { #expect(mayUse(topic), "\(topic)") }
        let isNews = topics.deny("house/ble/lamp/state", at: Self.instant(0))
        #expect(!isNews)
    }

    @Test func `a response that the broker denies goes to the usual topic`() throws {
        let scenario = Scenario.house(Scenario.relay).with { scenario in
            scenario.broker.accessRules = "topic readwrite bluefleet/#\ntopic read private/#\n"
        }
        try withFixture(scenario) { fixture in
            for number in 1...2 {
                let properties = MQTT.Message.Properties(responseTopic: "private/client", correlationData: [7])
                let payload = Array(#"{"transaction": \#(number)}"#.utf8)
                fixture.publish(Message("bluefleet/relay/state/get", payload, properties: properties))
                let response = try await fixture.recorder.message("bluefleet/relay/response/get")
                #expect(response.json?["status"] == "ok")
                #expect(response.json?["transaction"]?.int == number)
                #expect(response.properties.correlationData == [7])
            }
        }
    }
}
