import Configuration
import EventLoop
import JSON
import MQTT
import System
import TestSupport
import TestTraits
import Testing

@testable import Bridge
@testable import Contract

/// Messages that the broker has not accepted when the gateway stops.
@Suite(.ownThreads) struct WaitingMessagesTests {
    @Test func `a reading that the broker has not accepted is published once after the next start`() throws {
        let scenario = Scenario.climate("connect: always").with {
            $0.configuration.replace("subscribe: true}", with: "subscribe: true, retain: false}")
        }
        try withFixture(scenario) { fixture in
            fixture.broker.stop()
            let gateway = try #require(fixture.gateway)
            try await fixture.event("subscribed 2A6E", of: "climate")
            let client = try #require(await gateway.publisher).client
            let before = client.statistics.waiting
            try await fixture.notify("6608", from: "2A6E", of: "climate")
            try await fixture.until("a reading that waits") { client.statistics.waiting > before }
            try await fixture.stopGateway()
            try fixture.broker.start()
            try await fixture.until("the retained messages") {
                _ = try await fixture.retained()
                return !fixture.recorder.all("the/end").isEmpty
            }
            try await fixture.startGateway()
            let reading = try await fixture.recorder.message("bluefleet/climate/temperature") {
                $0.json?["value"] == 21.5
            }
            #expect(!reading.isRetained)
            #expect(reading.properties.userProperties == [.init("gateway", "attic")])

            try await fixture.stopGateway()
            try await fixture.startGateway()
            _ = try await fixture.retained()
            #expect(fixture.recorder.all("bluefleet/climate/temperature").count { $0.payload == reading.payload } == 1)
        }
    }

    @Test func `UnsentMessagesStore drops messages for another broker, and ignores invalid files`() throws {
        try EventLoop.run { home in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let publisher = try Self.publisher("one", home.loop)
            let message = publisher.messages.restored(
                [0, 0xff], on: "bluefleet/a/b", qualityOfService: .atMostOnce, contentType: "text/plain")
            func taken(by publisher: Publisher) -> [Message] {
                var store = UnsentMessagesStore(in: folder.path)
                return store.take(for: publisher)
            }
            for host in ["one", "two"] {
                var store = UnsentMessagesStore(in: folder.path)
                store.save([message], for: publisher)
                // A run that ends before the broker has accepted the message leaves it in the file.
                for _ in 1...2 {
                    #expect(taken(by: try Self.publisher(host, home.loop)) == (host == "one" ? [message] : []))
                }
                store.clear(for: publisher)
                #expect(taken(by: publisher) == [])
            }
            try folder.write(#"{"broker": "mqtt://one:1883", "messages": [1, {"topic": "+"}]}"#, to: "waiting.json")
            #expect(taken(by: publisher) == [])
        }
    }

    private static func publisher(_ host: String, _ loop: EventLoop) throws -> Publisher {
        let settings = Client.Settings(.tcp(host: host, port: 1883), identifier: "attic")
        return try Publisher(
            number: 0, client: try Client(settings, on: loop) { _ in },
            broker: BrokerNodes(.tcp(host: host, port: 1883)),
            MessageBuilder(
                topics: try Topics(prefix: "bluefleet", gateway: "attic"), qualityOfService: .atLeastOnce,
                gateway: "attic"), LateNumbers())
    }
}
