import Configuration
import EventLoop
import JSON
import MQTT
import System
import TestSupport
import TestTraits
import Testing

@testable import Bridge

/// Reloads of the configuration while the gateway runs.
@Suite(.ownThreads) struct ReloadTests {
    private func reload(_ fixture: Fixture) async throws -> JSON {
        try await fixture.request("bridge/attic/request/reload")
    }

    private static let both =
        "devices:\n  climate:\n    address: C0:00:00:00:00:01\n\(Scenario.climate.indented(by: 4))\n\(Scenario.relay.indented(by: 2))"

    @Test func `a reload changes only the devices that differ; the others stay connected`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.connection(of: "climate", "connected")
            fixture.file = Self.both
            let added = try await reload(fixture)
            #expect(added["data"] == ["added": ["relay"], "changed": [], "removed": []])
            #expect(try await fixture.request("relay/state/get")["status"] == "ok")
            fixture.file = Self.both.replacingAll("hold: 1h", with: "hold: 2h")
            #expect(try await reload(fixture)["data"] == ["added": [], "changed": ["relay"], "removed": []])
            #expect(try await fixture.events(of: "relay").last == "disconnected")
            #expect(try await reload(fixture)["data"] == ["added": [], "changed": [], "removed": []])
            #expect(try await fixture.events(of: "climate").count { $0 == "connected" } == 1)
            #expect(try await fixture.events(of: "climate").count { $0 == "disconnected" } == 0)
        }
    }

    @Test func `after ten reloads at once a further one is rejected with busy`() throws {
        try withFixture(.house(Scenario.relay)) { fixture in
            for _ in 1...30 { try fixture.ask("bridge/attic/request/reload") }
            var codes: [String] = []
            for _ in 1...30 {
                let response = try await fixture.response(to: "bridge/attic/request/reload")
                codes.append(response["error"]?["code"]?.string ?? "ok")
            }
            #expect(codes.count { $0 == "ok" } >= 10)
            #expect(codes.contains("busy"))
            #expect(Set(codes) == ["ok", "busy"])
        }
    }

    @Test func `a device that is added and removed during an outage of the broker leaves no retained message`() throws {
        let scenario = Scenario.house(Scenario.relay).with {
            $0.hasGateway = false
            $0.homeAssistant = "discovery: device"
        }
        try withFixture(scenario) { fixture in
            fixture.broker.stop()
            try await fixture.startGatewayAlone(fixture.file.replacingAll("relay:", with: "rleay:"))
            await fixture.reload(try fixture.configuration(fixture.file))
            try fixture.broker.start()
            try await fixture.recorder.next("bluefleet/relay/availability")
            try await fixture.until("the end of the wrong name") {
                try await !fixture.retained().keys.contains { $0.contains("rleay") }
            }
        }
    }

    @Test func `a device that is being changed rejects requests with failed`() throws {
        let scenario = Scenario.climate("connect: always").with {
            $0.fleet.replace("disconnect: 10ms", with: "disconnect: 1s")
        }
        try withFixture(scenario) { fixture in
            try await fixture.connection(of: "climate", "connected")
            fixture.file = fixture.file.replacingAll("read: 1h", with: "read: 2h")
            try fixture.ask("bridge/attic/request/reload")
            try await fixture.connection(of: "climate", "disconnecting")
            let pair = #"{"address": "C0:00:00:00:00:01"}"#
            #expect(try await fixture.refusal("climate/temperature/get") == "failed")
            #expect(try await fixture.refusal("climate/temperature/set", "1") == "failed")
            #expect(try await fixture.refusal("climate/request/rssi") == "failed")
            #expect(try await fixture.refusal("climate/request/dance") == "unknown_verb")
            #expect(try await fixture.refusal("bridge/attic/request/pair", pair) == "failed")
            #expect(try await fixture.response(to: "bridge/attic/request/reload")["data"]?["changed"] == ["climate"])
            try await fixture.connection(of: "climate", "connected")
            #expect(try await fixture.request("climate/temperature/get")["status"] == "ok")
        }
    }

    @Test func `a stopped device and its waiting commands report the reason`() throws {
        let scenario = Scenario.house(Scenario.relay).with {
            $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}")
        }
        try withFixture(scenario) { fixture in
            fixture.file = fixture.file.replacingAll("hold: 1h", with: "hold: 2h")
            for (device, change, payload, reason) in [
                ("relay", "reload", "", "the configuration of the device has changed"),
                ("relay", "device/rename", #"{"device": "relay", "to": "porch"}"#, "the device was renamed to porch"),
                ("porch", "device/remove", #"{"device": "porch"}"#, "the device was removed"),
            ] {
                try fixture.ask("\(device)/state/get")
                try await fixture.connection(of: device, "waiting")
                try await fixture.request("bridge/attic/request/\(change)", payload)
                let error = try await fixture.response(to: "\(device)/state/get")["error"]
                #expect(error == ["code": "failed", "message": .string("\(device): \(reason)")])
                try await fixture.recorder.next("bluefleet/\(device)/availability") {
                    $0 == ["state": "offline", "reason": .string(reason)]
                }
            }
        }
    }

    @Test func `a file with mistakes changes nothing, and the response lists all of them`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.connection(of: "climate", "connected")
            fixture.file = "devices:\n  climate: {address: C0, conect: never}"
            let error = try await reload(fixture)["error"]
            #expect(error?["code"] == "invalid_value")
            let message = try #require(error?["message"]?.string)
            #expect(message.contains("expected an address such as"))
            #expect(message.contains("unknown key 'conect'"))
            #expect(try await fixture.request("climate/temperature/get")["status"] == "ok")
            #expect(try await fixture.events(of: "climate").count { $0 == "disconnected" } == 0)
        }
    }

    @Test func `a response that is too large for the broker is replaced by an error`() throws {
        let scenario = Scenario.house(Scenario.relay).with { $0.broker.lines = ["max_packet_size 1200"] }
        try withFixture(scenario) { fixture in
            let mistakes = (0..<100).map { "    mistake_\($0): true" }
            fixture.file += "\n  other:\n    address: C0:00:00:00:00:09\n" + mistakes.joined(separator: "\n")
            let answer = try await fixture.request("bridge/attic/request/reload", #"{"transaction": 7}"#)
            #expect(answer["transaction"] == 7)
            #expect(answer["error"]?["code"] == "failed")
            let message = try #require(answer["error"]?["message"]?.string)
            #expect(message.hasPrefix("the broker does not accept the response: it has "))
        }
    }

    @Test func `another prefix and another gateway name take effect without a disconnection`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.connection(of: "climate", "connected")
            _ = try await fixture.reading("climate/battery")
            let changed = try Configuration(
                yaml: """
                    gateway: cellar
                    state_directory: \(fixture.folder.path)/state
                    mqtt: {url: "mqtt://127.0.0.1:\(fixture.broker.port)", prefix: house}
                    home_assistant: {discovery: none}
                    \(fixture.file)
                    """)
            await fixture.reload(changed)
            try await fixture.recorder.next("house/bridge/cellar/state") { $0["state"] == "online" }
            #expect(try await fixture.recorder.next("house/climate/battery")["value"] == 93)
            fixture.publish(Message("house/climate/temperature/get"))
            #expect(try await fixture.recorder.next("house/climate/response/get")["status"] == "ok")
            try await fixture.until("the end of the old topics") {
                try await !fixture.retained().keys.contains { $0.hasPrefix("bluefleet/") }
            }
            #expect(try await fixture.events(of: "climate").count { $0 == "connected" } == 1)
            #expect(try await fixture.events(of: "climate").count { $0 == "disconnected" } == 0)
            // The fixture waits for the end on the first topics of the gateway.
            await fixture.reload(try fixture.configuration(fixture.file))
            try await fixture.recorder.next("bluefleet/bridge/attic/state") { $0["state"] == "online" }
        }
    }

    @Test func `after a change of the broker the old one gets its responses and keeps no retained message`() throws {
        let other = try Broker()
        let scenario = Scenario.house(Scenario.relay).with {
            $0.configuration = Self.both
            $0.homeAssistant = "discovery: device"
            $0.configuration += "\n  absent: {address: C0:00:00:00:00:09, connect: on demand}"
        }
        try withFixture(scenario) { fixture in
            try await fixture.connection(of: "climate", "connected")
            try fixture.ask("absent/request/connect")
            fixture.port = other.port
            #expect(try await reload(fixture)["status"] == "ok")
            #expect(try await fixture.response(to: "absent/request/connect")["error"]?["code"] == "failed")
            try await fixture.recorder.next("bluefleet/bridge/attic/state") { $0["state"] == "offline" }
            try await fixture.until("the end of all topics") { try await fixture.retained().isEmpty }

            let heard = Recorder(fixture.loop)
            var settings = Client.Settings(.tcp(host: "127.0.0.1", port: other.port), identifier: "listener")
            settings.version = .threeOneOne
            let listener = try Client(settings, on: fixture.loop) { event in
                if case .received(let message) = event { heard.add(message) }
            }
            listener.subscribe(to: "#")
            listener.start()
            try await heard.next("bluefleet/bridge/attic/state") { $0["state"] == "online" }
            try await heard.next("bluefleet/climate/connection") { $0["state"] == "connected" }
            #expect(try await heard.next("bluefleet/climate/battery")["value"] == 93)
            await listener.close()
            #expect(try await fixture.events(of: "climate").count { $0 == "disconnected" } == 0)

            // The fixture waits for the end on the first topics of the gateway.
            fixture.port = fixture.broker.port
            await fixture.reload(try fixture.configuration(fixture.file))
            try await fixture.recorder.next("bluefleet/bridge/attic/state") { $0["state"] == "online" }
        }
    }

    @Test func `a node that is added changes no topic at the broker, and takes over when the first one ends`() throws {
        let other = try Broker()
        let scenario = Scenario.climate("connect: always").with { $0.homeAssistant = "discovery: device" }
        try withFixture(scenario) { fixture in
            try await fixture.connection(of: "climate", "connected")
            let state = "bluefleet/bridge/attic/state"
            try await fixture.until("the discovery") {
                try await fixture.retained().keys.contains { $0.hasPrefix("homeassistant/") }
            }
            let retained = Set(try await fixture.retained().keys)
            fixture.otherPorts = [other.port]
            #expect(try await reload(fixture)["status"] == "ok")
            #expect(try await retained.isSubset(of: fixture.retained().keys))

            fixture.broker.kill()
            let heard = Recorder(fixture.loop)
            let settings = Client.Settings(.tcp(host: "127.0.0.1", port: other.port), identifier: "listener")
            let listener = try Client(settings, on: fixture.loop) { event in
                if case .received(let message) = event { heard.add(message) }
            }
            listener.subscribe(to: "#")
            listener.start()
            let url = "mqtt://127.0.0.1:\(other.port)"
            try await heard.next("bluefleet/bridge/attic/info") { $0["broker"]?.string == url }
            try await heard.next("bluefleet/climate/connection") { $0["state"] == "connected" }
            await listener.close()
            try fixture.broker.start()
            // The fixture waits for the end at its broker.
            fixture.otherPorts = []
            await fixture.reload(try fixture.configuration(fixture.file))
            try await fixture.recorder.next(state) { $0["state"] == "online" }
        }
    }

    @Test func `a late request of a former broker is rejected there`() throws {
        let other = try Broker()
        try withFixture(.house(Scenario.relay)) { fixture in
            let gateway = try #require(fixture.gateway)
            let before = try #require(await gateway.publisher).number
            fixture.port = other.port
            // The old broker has not received the cancellation of the subscriptions yet.
            fixture.broker.freeze(true)
            await fixture.reload(try fixture.configuration(fixture.file))
            let payload = #"{"channel": 1, "level": 50, "transaction": 7}"#
            let late = Message("bluefleet/relay/output/set", Array(payload.utf8))
            await gateway.handle(.received(late), from: before)
            // Events of a former broker do not matter any more.
            await gateway.handle(.connected(resumed: false, BrokerLimits()), from: before)
            fixture.broker.freeze(false)
            let answer = try await fixture.response(to: "relay/output/set")
            #expect(answer["transaction"] == 7)
            #expect(answer["error"]?["message"] == "the gateway changes to another broker")

            // The fixture waits for the end on the first topics of the gateway.
            fixture.port = fixture.broker.port
            await fixture.reload(try fixture.configuration(fixture.file))
            try await fixture.recorder.next("bluefleet/bridge/attic/state") { $0["state"] == "online" }
        }
    }

    @Test(arguments: ["qos: 0", "prefix: house", "protocol: 3.1.1"])
    func `after a change of the connection settings earlier requests are still answered`(keys: String) throws {
        let scenario = Scenario.house(Scenario.relay).with {
            $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}")
        }
        try withFixture(scenario) { fixture in
            try fixture.ask("relay/request/connect")
            fixture.mqtt = keys
            #expect(try await reload(fixture)["status"] == "ok")
            // The fixture waits for the end on the first topics of the gateway.
            fixture.mqtt = ""
            await fixture.reload(try fixture.configuration("devices: {}"))
            #expect(try await fixture.response(to: "relay/request/connect")["error"]?["code"] == "failed")
            try await fixture.recorder.next("bluefleet/bridge/attic/state") { $0["state"] == "online" }
        }
    }

    @Test func `a changed secret is loaded from the same file`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.connection(of: "climate", "connected")
            let (key, password) = (fixture.folder.path("key"), fixture.folder.path("password"))
            try fixture.folder.write(String(repeating: "0", count: 32), to: "key")
            try fixture.folder.write("one", to: "password")
            fixture.file = fixture.file.replacingAll("connect: always", with: "connect: always\n    key_file: \(key)")
            fixture.mqtt = "username: attic, password_file: \(password)"
            #expect(try await reload(fixture)["data"]?["changed"] == ["climate"])
            #expect(try await reload(fixture)["data"]?["changed"] == [])
            let state = "bluefleet/bridge/attic/state"
            let before = fixture.recorder.all(state).count { $0.json?["state"] == "online" }
            try fixture.folder.write(String(repeating: "1", count: 32) + "\n", to: "key")
            try fixture.folder.write("another", to: "password")
            #expect(try await reload(fixture)["data"]?["changed"] == ["climate"])
            try await fixture.until("another connection to the broker") {
                fixture.recorder.all(state).count { $0.json?["state"] == "online" } > before
            }
        }
    }

    @Test func `a password file that cannot be read changes nothing`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.connection(of: "climate", "connected")
            let changed = try Configuration(
                yaml: """
                    gateway: attic
                    state_directory: \(fixture.folder.path)/state
                    mqtt: {url: "mqtt://127.0.0.1:\(fixture.broker.port)", username: x, password_file: /nonexistent/password}
                    devices: {}
                    """)
            await fixture.reload(changed)
            #expect(try await fixture.request("climate/temperature/get")["status"] == "ok")
        }
    }

    @Test func `fewer and more connections take effect at once`() throws {
        let one =
            "bluetooth: {connections: 1}\n" + Self.both.replacingAll("connect: on demand", with: "connect: always")
        let scenario = Scenario.house(Scenario.relay).with { $0.configuration = one }
        try withFixture(scenario) { fixture in
            try await fixture.connection(of: "climate", "connected")
            try await fixture.recorder.next("bluefleet/relay/connection") {
                $0["state"] == "waiting" && $0["reason"] != nil
            }
            fixture.file = one.replacingAll("connections: 1", with: "connections: 2")
            #expect(try await reload(fixture)["status"] == "ok")
            try await fixture.connection(of: "relay", "connected")
            #expect(try await fixture.events(of: "climate").count { $0 == "disconnected" } == 0)
        }
    }

    @Test func `an adapter is left when the configuration drops it, and used again later`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.connection(of: "climate", "connected")
            let other = "bluetooth: {adapters: [\"00:00:5E:00:53:99\"]}\n"
            fixture.file = other + fixture.file
            #expect(try await reload(fixture)["status"] == "ok")
            try await fixture.recorder.next("bluefleet/bridge/attic/info") { $0["bluetooth"] == "unsupported" }
            try await fixture.event("disconnected", of: "climate")
            fixture.file = String(fixture.file.dropFirst(other.count))
            #expect(try await reload(fixture)["status"] == "ok")
            try await fixture.connection(of: "climate", "connected")
        }
    }
}
