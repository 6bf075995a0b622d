import Configuration
import EventLoop
import JSON
import MQTT
import TestSupport
import Testing

@testable import Bridge

/// A configuration that is read again while the gateway runs.
@Suite struct ReloadTests {
    private func reload(_ stage: Stage) async throws -> JSON {
        try await stage.request("bridge/attic/request/reload")
    }

    private static let both =
        "devices:\n  climate:\n    address: C0:00:00:00:00:01\n\(Script.climate.indented(by: 4))\n\(Script.relay.indented(by: 2))"

    @Test func `what changes is changed, and what stays the same keeps its connection`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.connection(of: "climate", "connected")
            stage.file = Self.both
            let added = try await reload(stage)
            #expect(added["data"] == ["added": ["relay"], "changed": [], "removed": []])
            #expect(try await stage.request("relay/state/get")["status"] == "ok")
            stage.file = Self.both.replacing("hold: 1h", with: "hold: 2h")
            #expect(try await reload(stage)["data"] == ["added": [], "changed": ["relay"], "removed": []])
            #expect(try await stage.events(of: "relay").last == "disconnected")
            #expect(try await reload(stage)["data"] == ["added": [], "changed": [], "removed": []])
            #expect(try await stage.events(of: "climate").count { $0 == "connected" } == 1)
            #expect(try await stage.events(of: "climate").count { $0 == "disconnected" } == 0)
        }
    }

    @Test func `of a device that comes and goes while the broker is away nothing stays there`() throws {
        let script = Script.house(Script.relay).with {
            $0.hasGateway = false
            $0.homeAssistant = "discovery: device"
        }
        try onStage(script) { _, stage in
            stage.broker.stop()
            try await stage.startGatewayAlone(stage.file.replacing("relay:", with: "rleay:"))
            await stage.gateway?.reload(try stage.configuration(stage.file))
            try stage.broker.start()
            try await stage.record.next("bluefleet/relay/availability")
            try await stage.until("the end of the wrong name") {
                try await !stage.retained().keys.contains { $0.contains("rleay") }
            }
            #expect(stage.record.all("bluefleet/rleay/info").allSatisfy { $0.payload.isEmpty })
        }
    }

    @Test func `a device that is asked while it is being changed says so`() throws {
        let script = Script.climate("connect: always").with {
            $0.fleet.replace("disconnect: 10ms", with: "disconnect: 1s")
        }
        try onStage(script) { _, stage in
            try await stage.connection(of: "climate", "connected")
            stage.file = stage.file.replacing("read: 1h", with: "read: 2h")
            try stage.ask("bridge/attic/request/reload")
            try await stage.connection(of: "climate", "disconnecting")
            let pair = #"{"address": "C0:00:00:00:00:01"}"#
            #expect(try await stage.refusal("climate/temperature/get") == "failed")
            #expect(try await stage.refusal("climate/temperature/set", "1") == "failed")
            #expect(try await stage.refusal("climate/request/rssi") == "failed")
            #expect(try await stage.refusal("climate/request/dance") == "unknown_verb")
            #expect(try await stage.refusal("bridge/attic/request/pair", pair) == "failed")
            #expect(try await stage.response(to: "bridge/attic/request/reload")["data"]?["changed"] == ["climate"])
            try await stage.connection(of: "climate", "connected")
            #expect(try await stage.request("climate/temperature/get")["status"] == "ok")
        }
    }

    @Test func `a device that is let go says why, and so does what waited for it`() throws {
        let script = Script.house(Script.relay).with {
            $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}")
        }
        try onStage(script) { _, stage in
            stage.file = stage.file.replacing("hold: 1h", with: "hold: 2h")
            for (device, change, payload, reason) in [
                ("relay", "reload", "", "its configuration has changed"),
                ("relay", "device/rename", #"{"device": "relay", "to": "porch"}"#, "it is called porch now"),
                ("porch", "device/remove", #"{"device": "porch"}"#, "it was removed"),
            ] {
                try stage.ask("\(device)/state/get")
                try await stage.connection(of: device, "waiting")
                try await stage.request("bridge/attic/request/\(change)", payload)
                let error = try await stage.response(to: "\(device)/state/get")["error"]
                #expect(error == ["code": "failed", "message": .string("\(device): \(reason)")])
                try await stage.record.next("bluefleet/\(device)/availability") {
                    $0 == ["state": "offline", "reason": .string(reason)]
                }
            }
        }
    }

    @Test func `a file with mistakes changes nothing, and all of them are told`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.connection(of: "climate", "connected")
            stage.file = "devices:\n  climate: {address: C0, conect: never}"
            let error = try await reload(stage)["error"]
            #expect(error?["code"] == "invalid_value")
            let message = try #require(error?["message"]?.string)
            #expect(message.contains("expected an address such as"))
            #expect(message.contains("unknown key 'conect'"))
            #expect(try await stage.request("climate/temperature/get")["status"] == "ok")
            #expect(try await stage.events(of: "climate").count { $0 == "disconnected" } == 0)
        }
    }

    @Test func `a response that is too large for the broker is replaced by one that says so`() throws {
        let script = Script.house(Script.relay).with { $0.broker.lines = ["max_packet_size 2500"] }
        try onStage(script) { _, stage in
            let mistakes = (0..<100).map { "    mistake_\($0): true" }
            stage.file += "\n  other:\n    address: C0:00:00:00:00:09\n" + mistakes.joined(separator: "\n")
            let answer = try await stage.request("bridge/attic/request/reload", #"{"transaction": 7}"#)
            #expect(answer["transaction"] == 7)
            #expect(answer["error"]?["code"] == "failed")
            let message = try #require(answer["error"]?["message"]?.string)
            #expect(message.hasPrefix("the broker does not take the response, which has "))
        }
    }

    @Test func `other topics and another name of the gateway take effect without a link going down`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.connection(of: "climate", "connected")
            _ = try await stage.reading("climate/battery")
            let changed = try Configuration(
                yaml: """
                    gateway: cellar
                    state_directory: \(stage.folder.path)/state
                    mqtt: {url: "mqtt://127.0.0.1:\(stage.broker.port)", prefix: house}
                    home_assistant: {discovery: none}
                    \(stage.file)
                    """)
            await stage.gateway?.reload(changed)
            try await stage.record.next("house/bridge/cellar/state") { $0["state"] == "online" }
            #expect(try await stage.record.next("house/climate/battery")["value"] == 93)
            stage.publish(Message("house/climate/temperature/get"))
            #expect(try await stage.record.next("house/climate/response/get")["status"] == "ok")
            try await stage.until("the end of the old topics") {
                try await !stage.retained().keys.contains { $0.hasPrefix("bluefleet/") }
            }
            #expect(try await stage.events(of: "climate").count { $0 == "connected" } == 1)
            #expect(try await stage.events(of: "climate").count { $0 == "disconnected" } == 0)
            // The stage waits for the end where the bridge was at first.
            await stage.gateway?.reload(try stage.configuration(stage.file))
            try await stage.record.next("bluefleet/bridge/attic/state") { $0["state"] == "online" }
        }
    }

    @Test func `another broker: whoever asked at the old one is answered there, and nothing is left behind`() throws {
        let other = try Broker()
        let script = Script.house(Script.relay).with {
            $0.configuration = Self.both
            $0.homeAssistant = "discovery: device"
            $0.configuration += "\n  absent: {address: C0:00:00:00:00:09, connect: on demand}"
        }
        try onStage(script) { home, stage in
            try await stage.connection(of: "climate", "connected")
            try stage.ask("absent/request/connect")
            stage.port = other.port
            #expect(try await reload(stage)["status"] == "ok")
            #expect(try await stage.response(to: "absent/request/connect")["error"]?["code"] == "failed")
            try await stage.record.next("bluefleet/bridge/attic/state") { $0["state"] == "offline" }
            try await stage.until("the end of all topics") { try await stage.retained().isEmpty }

            let heard = Record(home.loop)
            var settings = Client.Settings(.tcp(host: "127.0.0.1", port: other.port), identifier: "listener")
            settings.version = .threeOneOne
            let listener = try Client(settings, on: home.loop) { event in
                if case .received(let message) = event { heard.add(message) }
            }
            listener.subscribe(to: "#")
            listener.start()
            try await heard.next("bluefleet/bridge/attic/state") { $0["state"] == "online" }
            try await heard.next("bluefleet/climate/connection") { $0["state"] == "connected" }
            #expect(try await heard.next("bluefleet/climate/battery")["value"] == 93)
            await listener.close()
            #expect(try await stage.events(of: "climate").count { $0 == "disconnected" } == 0)

            // The stage waits for the end where the bridge was at first.
            stage.port = stage.broker.port
            await stage.gateway?.reload(try stage.configuration(stage.file))
            try await stage.record.next("bluefleet/bridge/attic/state") { $0["state"] == "online" }
        }
    }

    @Test func `a command that was on its way from the broker before is refused there`() throws {
        let other = try Broker()
        try onStage(.house(Script.relay)) { _, stage in
            let gateway = try #require(stage.gateway)
            let before = try #require(await gateway.outlet).number
            stage.port = other.port
            // It does not know yet that nobody asks for requests any more.
            stage.broker.freeze(true)
            await gateway.reload(try stage.configuration(stage.file))
            let payload = #"{"channel": 1, "level": 50, "transaction": 7}"#
            let late = Message("bluefleet/relay/output/set", Array(payload.utf8))
            await gateway.happened(.received(late), at: before)
            // It is no longer ours whether that broker is there.
            await gateway.happened(.connected(resumed: false), at: before)
            stage.broker.freeze(false)
            let answer = try await stage.response(to: "relay/output/set")
            #expect(answer["transaction"] == 7)
            #expect(answer["error"]?["message"] == "the gateway goes to another broker")

            // The stage waits for the end where the bridge was at first.
            stage.port = stage.broker.port
            await gateway.reload(try stage.configuration(stage.file))
            try await stage.record.next("bluefleet/bridge/attic/state") { $0["state"] == "online" }
        }
    }

    @Test(arguments: ["qos: 0", "prefix: house", "protocol: 3.1.1"])
    func `the same broker in another way: whoever asked before is answered all the same`(keys: String) throws {
        let script = Script.house(Script.relay).with {
            $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}")
        }
        try onStage(script) { _, stage in
            try stage.ask("relay/request/connect")
            stage.mqtt = keys
            #expect(try await reload(stage)["status"] == "ok")
            // The stage waits for the end where the bridge was at first.
            stage.mqtt = ""
            await stage.gateway?.reload(try stage.configuration("devices: {}"))
            #expect(try await stage.response(to: "relay/request/connect")["error"]?["code"] == "failed")
            try await stage.record.next("bluefleet/bridge/attic/state") { $0["state"] == "online" }
        }
    }

    @Test func `a secret that was written anew is read, though its file has the same name`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.connection(of: "climate", "connected")
            let (key, password) = (stage.folder.path("key"), stage.folder.path("password"))
            try stage.folder.write(String(repeating: "0", count: 32), to: "key")
            try stage.folder.write("one", to: "password")
            stage.file = stage.file.replacing("connect: always", with: "connect: always\n    key_file: \(key)")
            stage.mqtt = "username: attic, password_file: \(password)"
            #expect(try await reload(stage)["data"]?["changed"] == ["climate"])
            #expect(try await reload(stage)["data"]?["changed"] == [])
            let state = "bluefleet/bridge/attic/state"
            let before = stage.record.all(state).count { $0.json?["state"] == "online" }
            try stage.folder.write(String(repeating: "1", count: 32) + "\n", to: "key")
            try stage.folder.write("another", to: "password")
            #expect(try await reload(stage)["data"]?["changed"] == ["climate"])
            try await stage.until("another connection to the broker") {
                stage.record.all(state).count { $0.json?["state"] == "online" } > before
            }
        }
    }

    @Test func `a broker's file that cannot be read changes nothing`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.connection(of: "climate", "connected")
            let changed = try Configuration(
                yaml: """
                    gateway: attic
                    state_directory: \(stage.folder.path)/state
                    mqtt: {url: "mqtt://127.0.0.1:\(stage.broker.port)", username: x, password_file: /nonexistent/password}
                    devices: {}
                    """)
            await stage.gateway?.reload(changed)
            #expect(try await stage.request("climate/temperature/get")["status"] == "ok")
        }
    }

    @Test func `fewer and more connections take effect at once`() throws {
        let one = "bluetooth: {connections: 1}\n" + Self.both.replacing("connect: on demand", with: "connect: always")
        let script = Script.house(Script.relay).with { $0.configuration = one }
        try onStage(script) { _, stage in
            try await stage.connection(of: "climate", "connected")
            try await stage.record.next("bluefleet/relay/connection") {
                $0["state"] == "waiting" && $0["reason"] != nil
            }
            stage.file = one.replacing("connections: 1", with: "connections: 2")
            #expect(try await reload(stage)["status"] == "ok")
            try await stage.connection(of: "relay", "connected")
            #expect(try await stage.events(of: "climate").count { $0 == "disconnected" } == 0)
        }
    }

    @Test func `an adapter that is no longer to be used is left, and taken up again`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.connection(of: "climate", "connected")
            let other = "bluetooth: {adapters: [\"00:00:5E:00:53:99\"]}\n"
            stage.file = other + stage.file
            #expect(try await reload(stage)["status"] == "ok")
            try await stage.record.next("bluefleet/bridge/attic/info") { $0["bluetooth"] == "unsupported" }
            try await stage.event("disconnected", of: "climate")
            stage.file = String(stage.file.dropFirst(other.count))
            #expect(try await reload(stage)["status"] == "ok")
            try await stage.connection(of: "climate", "connected")
        }
    }
}
