import Configuration
import EventLoop
import JSON
import MQTT
import TestSupport
import Testing

@testable import Bridge

/// What the broker has not got when the gateway stops.
@Suite struct WaitingMessagesTests {
    @Test func `a reading that waited for the broker is published after the next start, once`() throws {
        let script = Script.climate("connect: always").with {
            $0.configuration.replace("subscribe: true}", with: "subscribe: true, retain: false}")
        }
        try onStage(script) { _, stage in
            stage.broker.stop()
            let gateway = try #require(stage.gateway)
            try await stage.event("subscribed 2A6E", of: "climate")
            let client = try #require(await gateway.outlet).client
            let before = client.statistics.waiting
            try await stage.notify("6608", from: "2A6E", of: "climate")
            try await stage.until("a reading that waits") { client.statistics.waiting > before }
            try await stage.stopGateway()
            try stage.broker.start()
            try await stage.until("somebody who hears") {
                _ = try await stage.retained()
                return !stage.record.all("the/end").isEmpty
            }
            try await stage.startGateway()
            let reading = try await stage.record.message("bluefleet/climate/temperature") { $0.json?["value"] == 21.5 }
            #expect(!reading.isRetained)
            #expect(reading.properties.userProperties == [.init("gateway", "attic")])

            try await stage.stopGateway()
            try await stage.startGateway()
            _ = try await stage.retained()
            #expect(stage.record.all("bluefleet/climate/temperature").count { $0.payload == reading.payload } == 1)
        }
    }

    @Test func `nothing waits for another broker, and no file makes trouble`() throws {
        try EventLoop.run { home in
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let outlet = try Self.outlet("one", home.loop)
            let message = Message(
                "bluefleet/a/b", [0, 0xff], qualityOfService: .atMostOnce,
                properties: outlet.properties(contentType: "text/plain"))
            func taken(by outlet: Outlet) -> [Message] {
                var store = WaitingMessagesStore(in: folder.path)
                return store.take(for: outlet)
            }
            for host in ["one", "two"] {
                var store = WaitingMessagesStore(in: folder.path)
                store.save([message], for: outlet)
                #expect(taken(by: try Self.outlet(host, home.loop)) == (host == "one" ? [message] : []))
                #expect(taken(by: outlet) == [])
            }
            try folder.write(#"{"broker": "mqtt://one:1883", "messages": [1, {"topic": "+"}]}"#, to: "waiting.json")
            #expect(taken(by: outlet) == [])
        }
    }

    private static func outlet(_ host: String, _ loop: EventLoop) throws -> Outlet {
        let settings = Client.Settings(.tcp(host: host, port: 1883), identifier: "attic")
        return Outlet(
            number: 0, client: try Client(settings, on: loop) { _ in }, broker: .tcp(host: host, port: 1883),
            topics: Topics(prefix: "bluefleet", gateway: "attic"), qualityOfService: .atLeastOnce, gateway: "attic",
            eventTopic: "bluefleet/bridge/attic/event")
    }
}
