import DBus
import EventLoop
import JSON
import Simulator
import TestSupport
import TestTraits
import Testing

@testable import Contract
@testable import MQTT

/// Messages that are meant to cause trouble.
@Suite(.ownThreads) struct HostileMessageTests {
    private let house = Scenario.house(Scenario.relay)

    static let payloads: [[UInt8]] = [
        Array("{".utf8), Array("nonsense".utf8), Array("\"\\ud800\"".utf8), Array("{\"a\":1,\"a\":2}".utf8),
        Array("1e999999999".utf8), Array("123456789012345678901234567890123456789012".utf8), Array("NaN".utf8),
        Array(String(repeating: "[", count: 100_000).utf8),
        Array((String(repeating: "{\"a\":", count: 5_000) + "1" + String(repeating: "}", count: 5_000)).utf8),
        [0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d], [0], Array("{\"characteristic\":\"state\u{0}\"}".utf8),
        Array("{\"characteristic\":\"state\\u0000\"}".utf8), Array("\u{feff}{}".utf8), [0xc3], Array("{}{}".utf8),
        [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20),
        [UInt8](repeating: UInt8(ascii: "7"), count: 1 << 20),
        Array("{\"hex\":\"".utf8) + [UInt8](repeating: UInt8(ascii: "0"), count: 1 << 20) + Array("\"}".utf8),
        [UInt8](repeating: 0, count: 5 << 20),
    ]

    @Test(arguments: ["relay/output/set", "relay/request/read", "relay/request/write", "bridge/attic/request/scan"])
    func `an invalid payload gets one response with an error`(request: String) throws {
        try withFixture(house) { fixture in
            for payload in Self.payloads {
                try fixture.ask(request, payload)
                let response = try await fixture.response(to: request)
                let code = response["error"]?["code"]?.string ?? "none"
                let expected = ["bad_request", "invalid_value", "unknown_characteristic", "unknown_verb"]
                #expect(expected.contains(code), "\(code): \(payload.prefix(40))")
            }
            #expect(try await fixture.events(of: "relay").isEmpty)
            #expect(try await fixture.request("relay/state/get")["status"] == "ok")
        }
    }

    @Test func `get accepts any payload`() throws {
        try withFixture(house) { fixture in
            for payload in Self.payloads {
                try fixture.ask("relay/state/get", payload)
                #expect(try await fixture.response(to: "relay/state/get")["status"] == "ok")
            }
        }
    }

    @Test func `signals of other programs in bluetoothd's name are ignored`() throws {
        try withFixture(Scenario.climate("connect: always")) { fixture in
            try await fixture.event("subscribed 2A6E", of: "climate")
            let other = try await Connection.open(fixture.busAddress, loop: fixture.loop)
            let owner = try #require(try await other.owner(of: "org.bluez"))
            let device = "/org/bluez/hci0/dev_C0_00_00_00_00_01"
            let forgeries: [(String, String, String, [Variant])] = [
                (
                    "org.freedesktop.DBus.Properties", "PropertiesChanged", device,
                    [.string("org.bluez.Device1"), .properties(["Connected": .boolean(false)]), .strings([])]
                ),
                (
                    "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved", "/",
                    [.objectPath(device), .strings(["org.bluez.Device1"])]
                ),
                (
                    "org.freedesktop.DBus", "NameOwnerChanged", "/org/freedesktop/DBus",
                    [.string("org.bluez"), .string(owner), .string("")]
                ),
            ]
            let names = try await other.callBus("ListNames").arguments[0].texts?.filter { $0.hasPrefix(":") } ?? []
            #expect(names.count >= 3)
            for name in names {
                for (interface, member, path, arguments) in forgeries {
                    await other.send(try DBus.Message(signal: member, on: interface, at: path, to: name, arguments))
                }
            }
            // The bus delivers in order: its answer follows all signals.
            try await other.callBus("GetId")
            try await fixture.notify("6608", from: "2A6E", of: "climate")
            _ = try await fixture.recorder.next("bluefleet/climate/temperature") { $0["value"] == 21.5 }
            #expect(try await fixture.events(of: "climate").count { $0 == "connected" } == 1)
            #expect(
                fixture.recorder.all("bluefleet/climate/connection").count { $0.json?["state"] == "connected" } == 1)
            await other.close()
        }
    }

    @Test func `requests on unusual topics are rejected or ignored`() throws {
        try withFixture(house) { fixture in
            let topics = [
                "bluefleet", "bluefleet/", "bluefleet//", "bluefleet/relay", "bluefleet/relay/",
                "bluefleet/relay/output/set/", "bluefleet/relay/output/set/set/x",
                "bluefleet//relay/output/set", "bluefleet/relay/response/set", "bluefleet/relay/response/get",
                "bluefleet/bridge/attic/response/scan", "bluefleet/bridge/other/request/scan",
                "bluefleet/other/output/set", "bluefleet/relay/availability", "bluefleet/relay/request",
                "bluefleet/bridge/attic/request", "relay/output/set", "BLUEFLEET/relay/output/set",
            ]
            for topic in topics {
                fixture.publish(Message(try Topic(topic), Array(#"{"hex": "0101"}"#.utf8)))
            }
            for request in ["relay/info/set", "relay/connection/get"] {
                #expect(try await fixture.refusal(request, #"{"hex": "0101"}"#) == "unknown_characteristic")
            }
            #expect(try await fixture.request("relay/state/get")["status"] == "ok")
            #expect(try await fixture.events(of: "relay").allSatisfy { !$0.hasPrefix("write") })
        }
    }

    @Test func `a Response Topic that is a topic of requests, states or discovery is not used`() throws {
        try withFixture(house) { fixture in
            let topics: [Topic] = [
                "bluefleet/relay/output/set", "bluefleet/bridge/attic/request/scan",
                "bluefleet/other/request/disconnect",
                "bluefleet/relay/state", "bluefleet", "bluefleet/response/set", "$SYS/x",
                try Topic(String(repeating: "x/", count: 200)), try Topic(String(repeating: "x", count: 600)),
            ]
            for topic in topics {
                let properties = MQTT.Message.Properties(responseTopic: topic, correlationData: [1])
                fixture.publish(Message("bluefleet/relay/state/get", [], properties: properties))
                let response = try await fixture.response(to: "relay/state/get")
                #expect(response["status"] == "ok", "\(topic)")
                #expect(fixture.recorder.all(topic.description).allSatisfy { $0.json?["status"] == nil }, "\(topic)")
            }
            let allowed: [Topic] = ["clients/one", "bluefleet/relay/response/mine"]
            for topic in allowed {
                let properties = MQTT.Message.Properties(responseTopic: topic)
                try fixture.ask("relay/state/get", [], properties: properties)
                #expect(fixture.recorder.all("bluefleet/relay/response/get").count == topics.count)
            }
            try await fixture.recorder.message("bluefleet/relay/response/mine")
            #expect(try await fixture.events(of: "relay").allSatisfy { !$0.hasPrefix("write") })
        }
    }

    @Test(arguments: ["response", "house/response"])
    func `a Response Topic that is a reading of a device with the level response is not used`(name: String) throws {
        let device = Scenario.relay.replacingOnce("relay:", with: "\(name):")
        try withFixture(Scenario.house(device)) { fixture in
            let readings = ["\(name)/state", "\(name)/availability", "bridge/attic/late/\(name)/state"]
            for topic in readings + ["other/response/state"] {
                let properties = MQTT.Message.Properties(
                    responseTopic: try Topic("bluefleet/\(topic)"), correlationData: [1])
                fixture.publish(
                    Message(try Topic("bluefleet/\(name)/state/get"), [], properties: properties))
                let response = try await fixture.recorder.next("bluefleet/\(name)/response/get")
                #expect(response["status"] == "ok", "\(topic)")
                #expect(fixture.recorder.all("bluefleet/\(topic)").allSatisfy { $0.json?["status"] == nil }, "\(topic)")
            }
        }
    }

    @Test func `requests on topics of more than 512 bytes are ignored with a few lines of the log`() throws {
        try withFixture(house) { fixture in
            for number in 0..<200 {
                let name = String(repeating: "x", count: 60_000) + "\(number)"
                fixture.publish(Message(try Topic("bluefleet/bridge/attic/request/\(name)"), []))
                fixture.publish(Message(try Topic("bluefleet/relay/request/\(name)"), []))
            }
            let long = String(repeating: "y", count: 300)
            try fixture.ask("bridge/attic/request/\(long)", [])
            let response = try await fixture.response(to: "bridge/attic/request/\(long)")
            #expect(response["error"]?["code"] == "unknown_verb")
            let message = response["error"]?["message"]?.string ?? ""
            #expect(message.contains(String(repeating: "y", count: 256) + "…: unknown request"))
            #expect(fixture.recorder.messages.allSatisfy { "\($0.topic)".utf8.count < 1000 })
        }
    }

    @Test(arguments: ["scan", "inspect", "reload"])
    func `a request with an unknown member is rejected`(verb: String) throws {
        try withFixture(house) { fixture in
            let response = try await fixture.request("bridge/attic/request/\(verb)", #"{"duration": 5}"#)
            #expect(response["error"]?["code"] == "bad_request")
            #expect(response["error"]?["message"]?.string?.hasPrefix("duration: unknown parameter: ") == true)
        }
    }

    @Test func `long requests leave room for the others, and large responses are made one at a time`() throws {
        try withFixture(house) { fixture in
            for _ in 0..<70 { try fixture.ask("bridge/attic/request/scan", Array(#"{"for":"10m"}"#.utf8)) }
            #expect(try await fixture.request("bridge/attic/request/spool")["status"] == "ok")
            #expect(try await fixture.request("bridge/attic/request/reload")["status"] != nil)
            let count = 20
            for _ in 0..<count { try fixture.ask("bridge/attic/request/backup", []) }
            try await fixture.until("the responses") {
                fixture.recorder.all("bluefleet/bridge/attic/response/backup").count == count
            }
            // Each busy response is sent at once; the first backup succeeds.
            let states = try fixture.recorder.all("bluefleet/bridge/attic/response/backup").map {
                try JSON(parsing: $0.payload)["error"]?["code"]
            }
            #expect(states.contains(nil))
            #expect(states.contains("busy"))
            try await fixture.until("a place") {
                try await fixture.request("bridge/attic/request/backup")["status"] == "ok"
            }
        }
    }

    @Test func `each request of a flood gets its response`() throws {
        try withFixture(house) { fixture in
            for number in 1...2_000 { try fixture.ask("relay/request/rssi", #"{"transaction": \#(number)}"#) }
            for number in 1...2_000 {
                let transaction = try await fixture.response(to: "relay/request/rssi")["transaction"]
                if transaction?.int != number { Issue.record("\(number) was answered as \(transaction ?? nil)") }
            }
        }
    }
}
