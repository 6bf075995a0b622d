import Contract
import JSON
import MQTT
import System
import TestSupport
import TestTraits
import Testing

@testable import Bridge

/// Brokers whose access rules forbid something to the gateway.
@Suite(.ownThreads) struct StrictBrokerTests {
    @Test func `topics that the broker does not accept are in the health and in an event`() throws {
        let scenario = Scenario.climate("connect: always").with {
            $0.broker.accessRules = "topic deny bluefleet/climate/info\ntopic readwrite #\n"
        }
        try withFixture(scenario) { fixture in
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "broker_refused"
            }
            #expect(event["action"] == "publish")
            #expect(event["topic"] == "bluefleet/climate/info")
            #expect(event["reason"]?.string?.isEmpty == false)
            let health = try await fixture.recorder.next("bluefleet/bridge/attic/health") {
                $0["broker"]?["refused"]?.array?.isEmpty == false
            }
            #expect(health["broker"]?["refused"]?.array?.first?["topic"] == "bluefleet/climate/info")
        }
    }

    @Test func `a topic that is rejected for the moment is in an event and in the health until it is accepted`() throws
    {
        try withFixture(.climate("connect: always")) { fixture in
            let gateway = try #require(fixture.gateway)
            let number = try #require(await gateway.publisher).number
            let topic: Topic = "bluefleet/climate/temperature"
            await gateway.handle(.postponed(topic, reason: "Quota exceeded"), from: number)
            let refused = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "broker_refused"
            }
            #expect(refused["topic"]?.string == topic.description)
            #expect(refused["reason"] == "Quota exceeded")
            let health = try await fixture.recorder.next("bluefleet/bridge/attic/health") {
                $0["broker"]?["refused"]?.array?.isEmpty == false
            }
            #expect(health["broker"]?["refused"]?.array?.first?["temporary"] == true)
            await gateway.handle(.accessGranted(.publish(topic)), from: number)
            try await fixture.recorder.next("bluefleet/bridge/attic/event") { $0["type"] == "broker_accepted" }
        }
    }

    @Test func `a flood of refused responses writes few lines of the log`() throws {
        try withFixture(.house(Scenario.relay)) { fixture in
            let gateway = try #require(fixture.gateway)
            let number = try #require(await gateway.publisher).number
            let (topic, text) = ("bluefleet/bridge/attic/log", "cannot publish on bluefleet/relay/response/")
            try await fixture.request("bridge/attic/request/log", #"{"for":"1m"}"#)
            for count in 1...500 {
                let message = Message(try Topic("bluefleet/relay/response/\(count)"), [])
                for isTemporary in [false, true] {
                    await gateway.handle(
                        .undeliverable(message, reason: "Not authorized", isTemporary: isTemporary), from: number)
                }
            }
            try await fixture.recorder.next(topic) { $0["message"]?.string?.hasPrefix(text) == true }
            try await fixture.request("relay/request/rssi")
            let lines = fixture.recorder.all(topic).count { $0.text?.contains(text) == true }
            #expect(lines <= 70)
        }
    }

    @Test func `a broker without retained messages is used, and the health names its limits`() throws {
        let scenario = Scenario.climate("connect: always").with {
            $0.broker.lines = ["retain_available false", "max_packet_size 65536"]
        }
        try withFixture(scenario) { fixture in
            let health = try await fixture.recorder.next("bluefleet/bridge/attic/health")
            let kinds = health["broker"]?["restrictions"]?.array?.map { $0["type"]?.string }
            #expect(kinds == ["retain", "packet_size"])
            try await fixture.availability(of: "climate", "online")
        }
    }

    @Test func `RefusedAccesses forgets topics after two hours, or when the broker accepts them`() {
        var refused = RefusedAccesses()
        let access = Access.publish("a")
        func reasons(_ second: Int64) -> [String] { refused.list(at: instant(second)).map(\.reason) }
        var news = [refused.note(access, because: "1", at: instant(0))]
        news.append(refused.note(access, because: "2", at: instant(3600)))
        #expect(reasons(3600) == ["2"])
        #expect(reasons(3 * 3600 + 1).isEmpty)
        news.append(refused.note(access, because: "3", at: instant(20_000)))
        #expect(news == [true, false, true])
        refused.remove(access)
        #expect(reasons(20_000).isEmpty)
    }

    @Test func `RefusedAccesses is bounded`() throws {
        var refused = RefusedAccesses()
        for number in 1...200 { _ = refused.note(.publish(try Topic("a/\(number)")), because: "", at: instant(0)) }
        let count = refused.list(at: instant(0)).count
        #expect(count == 100)
    }

    private func instant(_ second: Int64) -> Instant { Instant(nanoseconds: 0) + .seconds(second) }
}
