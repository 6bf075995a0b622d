import Foundation
import JSON
import System
import TestSupport
import TestTraits
import Testing

@testable import bluefleet

@Suite(.ownThreads) struct StatusTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    /// Messages of a gateway with two devices, one of which has `/` in its name.
    private let messages: [(topic: String, payload: String)] = [
        ("bridge/attic/state", #"{"state":"online"}"#),
        (
            "bridge/attic/info",
            #"{"version":"1.0.0","started":"2027-01-15T05:00:00.000Z","bluetooth":"poweredOn","devices":2}"#
        ),
        (
            "bridge/attic/devices",
            #"{"devices":[{"name":"house/cellar/freezer","address":"C0:00:00:00:00:01","availability":"#
                + #"{"state":"stale","reason":"no value","since":"2027-01-15T07:57:00.000Z"}},"#
                + #"{"name":"relay","address":"C0:00:00:00:00:02"}],"removed":[]}"#
        ),
        ("house/cellar/freezer/availability", #"{"state":"stale","reason":"no value of a/b for longer than usual"}"#),
        ("house/cellar/freezer/a/b", #"{"value":21.53,"unit":"°C","time":"2027-01-15T07:59:48.000Z"}"#),
        ("house/cellar/freezer/old", #"{"value":1,"time":"2027-01-15T07:00:00.000Z"}"#),
        ("house/cellar/freezer/response/read", #"{"value":2,"time":"2027-01-15T08:00:00.000Z"}"#),
        ("relay/availability", #"{"state":"online"}"#),
        ("relay/connection", #"{"state":"connected","time":"2027-01-15T08:00:00.000Z"}"#),
        ("relay/output", #"{"channel":1,"level":50,"time":"2027-01-15T08:00:00.000Z"}"#),
    ]

    private func status(_ more: [(topic: String, payload: String)] = []) -> FleetStatus {
        var status = FleetStatus(below: "p/q")
        for message in messages + more { status.receive(Array(message.payload.utf8), on: "p/q/\(message.topic)") }
        return status
    }

    @Test func `the table has the state, its begin, the newest value, the gateway and the reason`() {
        #expect(
            status().lines(at: now, width: 79) == [
                "DEVICE                STATE   SINCE  LAST VALUE                   AGE   GATEWAY",
                "house/cellar/freezer  stale   3 min  a/b 21.53 °C                 12 s  attic",
                "  no value of a/b for longer than usual",
                "relay                 online         output: channel 1, level 50  now   attic",
                "",
                "gateway attic: online for 3 h, version 1.0.0, Bluetooth poweredOn, 2 devices: 1",
                "  online, 1 stale",
            ])
    }

    @Test func `the devices of a gateway that is offline are offline`() {
        let status = status([("bridge/attic/state", #"{"state":"offline"}"#)])
        let devices = status.json(at: now)["devices"]
        #expect(devices?[0]?["state"] == "offline" && devices?[1]?["state"] == "offline")
        #expect(devices?[0]?["reason"] == "the gateway attic is offline")
    }

    @Test func `an older gateway, without devices and begin of states, is shown too`() {
        var status = FleetStatus(below: "bluefleet")
        status.receive(Array(#"{"state":"online"}"#.utf8), on: "bluefleet/a/availability")
        status.receive(Array("not JSON".utf8), on: "bluefleet/a/text")
        #expect(
            status.lines(at: now, width: 79) == [
                "DEVICE  STATE   SINCE  LAST VALUE  AGE  GATEWAY", "a       online", "",
            ])
        #expect(!status.isComplete)
        #expect(self.status().isComplete)
    }

    @Test func `every line fits into 80 columns, and a long name is not cut`() {
        let name = String(repeating: "house/", count: 8) + "freezer"
        let text = String(repeating: "word ", count: 40)
        let status = status([
            ("bridge/attic/devices", #"{"devices":[{"name":"\#(name)"}]}"#),
            ("\(name)/availability", #"{"state":"offline","reason":"\#(text)"}"#),
            ("\(name)/display", #"{"value":"\#(text)","time":"2027-01-15T07:59:48.000Z"}"#),
        ])
        let lines = status.lines(at: now, width: 79)
        #expect(lines.allSatisfy { $0.columns < 80 })
        #expect(lines.contains(name))
    }

    @Test func `status reads the retained messages of a broker, as text and as JSON`() throws {
        let broker = try Broker()
        defer { broker.stop() }
        for message in messages {
            let publish = try Command(
                "mosquitto_pub",
                ["-p", "\(broker.port)", "-r", "-t", "p/q/\(message.topic)", "-m", message.payload])
            #expect(publish.wait() == .code(0))
        }
        let yaml = "mqtt: {url: \"mqtt://127.0.0.1:\(broker.port)\", prefix: p/q}\n"
        try Bluefleet.withFile(yaml) { file in
            let text = try Bluefleet.run("status", "--config", file)
            #expect(text.status == 0 && text.error == "")
            #expect(text.lines.contains { $0.hasPrefix("house/cellar/freezer  stale") })
            let json = try JSON(parsing: try Bluefleet.run("status", file, "--json").output)
            let device = json["devices"]?[0]
            #expect(device?["name"] == "house/cellar/freezer" && device?["gateway"] == "attic")
            #expect(device?["state"] == "stale" && device?["since"] == "2027-01-15T07:57:00.000Z")
            #expect(device?["last_value"]?["name"] == "a/b" && device?["last_value"]?["unit"] == "°C")
        }
    }

    @Test func `status uses the next node of a cluster if one does not answer`() throws {
        let (dead, broker) = (try Broker(), try Broker())
        dead.stop()
        defer { broker.stop() }
        let nodes = "[\"mqtt://127.0.0.1:\(dead.port)\", \"mqtt://127.0.0.1:\(broker.port)\"]"
        try Bluefleet.withFile("mqtt: {url: \(nodes)}\n") { file in
            let answered = try Bluefleet.run("status", file)
            #expect(answered.status == 0 && answered.error.contains("No gateway has published below bluefleet/"))
            broker.stop()
            let unreachable = try Bluefleet.run("status", file)
            #expect(unreachable.status == 69 && unreachable.error.contains("is unreachable"))
        }
    }

    @Test func `status without a gateway, a broker or a configuration has the exit status of each`() throws {
        let broker = try Broker()
        let url = "mqtt://127.0.0.1:\(broker.port)"
        let empty = try Bluefleet.run("status", "/nonexistent.yaml", "--url", url)
        #expect(empty.status == 0 && empty.error.contains("No gateway has published below bluefleet/"))
        #expect(
            try Bluefleet.run(["status", "/nonexistent.yaml"], environment: ["BLUEFLEET_MQTT_URL": url]).status == 0)
        broker.stop()
        let unreachable = try Bluefleet.run("status", "/nonexistent.yaml", "--url", url)
        #expect(unreachable.status == 69 && unreachable.error.contains("is unreachable"))
        let missing = try Bluefleet.run("status", "/nonexistent.yaml")
        #expect(missing.status == 78 && missing.error.contains("--url mqtt://HOST"))
        #expect(try Bluefleet.run("status", "--url", "http://x").status == 64)
        let wrong = try Bluefleet.withFile("mqtt: {url: 1}") { try Bluefleet.run("status", $0) }
        #expect(wrong.status == 78)
    }

    @Test func `a subscription that the broker denies is a missing permission`() throws {
        var options = Broker.Options()
        options.passwords = ["bluefleet": "right"]
        let broker = try Broker(options)
        defer { broker.stop() }
        let denied = try Bluefleet.run("status", "/nonexistent.yaml", "--url", "mqtt://127.0.0.1:\(broker.port)")
        #expect(denied.status == 77 && denied.error.contains("login rejected"))
    }
}
