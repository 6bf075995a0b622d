import DBus
import EventLoop
import JSON
import Simulator
import Testing

@testable import MQTT

/// Messages that nobody in his right mind would send.
@Suite struct HostileMessageTests {
    private let house = Script.house(Script.relay)

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
    func `a payload that makes no sense gets one response that says so`(request: String) throws {
        try onStage(house) { _, stage in
            for payload in Self.payloads {
                try stage.ask(request, payload)
                let response = try await stage.response(to: request)
                let code = response["error"]?["code"]?.string ?? "none"
                let expected = ["bad_request", "invalid_value", "unknown_characteristic", "unknown_verb"]
                #expect(expected.contains(code), "\(code): \(payload.prefix(40))")
            }
            #expect(try await stage.events(of: "relay").isEmpty)
            #expect(try await stage.request("relay/state/get")["status"] == "ok")
        }
    }

    @Test func `get takes any payload`() throws {
        try onStage(house) { _, stage in
            for payload in Self.payloads {
                try stage.ask("relay/state/get", payload)
                #expect(try await stage.response(to: "relay/state/get")["status"] == "ok")
            }
        }
    }

    @Test func `what another program says in bluetoothd's name is not heard`() throws {
        try onStage(Script.climate("connect: always")) { _, stage in
            try await stage.event("subscribed 2A6E", of: "climate")
            let other = try await Connection.open(stage.busAddress, loop: stage.loop)
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
            // The bus has delivered them all when it answers.
            try await other.callBus("GetId")
            try await stage.notify("6608", from: "2A6E", of: "climate")
            _ = try await stage.record.next("bluefleet/climate/temperature") { $0["value"] == 21.5 }
            #expect(try await stage.events(of: "climate").count { $0 == "connected" } == 1)
            #expect(stage.record.all("bluefleet/climate/connection").count { $0.json?["state"] == "connected" } == 1)
            await other.close()
        }
    }

    @Test func `topics of odd levels are answered or nobody's, and never carried out`() throws {
        try onStage(house) { _, stage in
            let topics = [
                "bluefleet", "bluefleet/", "bluefleet//", "bluefleet/relay", "bluefleet/relay/", "bluefleet/relay/set",
                "bluefleet/relay/get", "bluefleet/relay/output/set/", "bluefleet/relay/output/set/set/x",
                "bluefleet//relay/output/set", "bluefleet/relay/response/set", "bluefleet/relay/response/get",
                "bluefleet/bridge/attic/response/scan", "bluefleet/bridge/other/request/scan",
                "bluefleet/other/output/set", "bluefleet/relay/availability", "bluefleet/relay/request",
                "bluefleet/bridge/attic/request", "relay/output/set", "BLUEFLEET/relay/output/set",
            ]
            for topic in topics {
                stage.publish(Message(try Topic(topic), Array(#"{"hex": "0101"}"#.utf8)))
            }
            for request in ["relay/info/set", "relay/connection/get"] {
                #expect(try await stage.refusal(request, #"{"hex": "0101"}"#) == "unknown_characteristic")
            }
            #expect(try await stage.request("relay/state/get")["status"] == "ok")
            #expect(try await stage.events(of: "relay").allSatisfy { !$0.hasPrefix("write") })
        }
    }

    @Test func `a long Response Topic, and one that is a request, end in silence`() throws {
        try onStage(house) { _, stage in
            let own = MQTT.Message.Properties(responseTopic: "bluefleet/relay/output/set", correlationData: [1])
            try stage.ask("relay/state/get", [], properties: own)
            try await stage.record.message("bluefleet/relay/output/set")
            let bridge = MQTT.Message.Properties(responseTopic: "bluefleet/bridge/attic/request/scan")
            try stage.ask("bridge/attic/request/nonsense", [], properties: bridge)
            try await stage.record.message("bluefleet/bridge/attic/request/scan")
            #expect(try await stage.request("relay/state/get")["status"] == "ok")
            #expect(try await stage.events(of: "relay").allSatisfy { !$0.hasPrefix("write") })
        }
    }

    @Test func `a flood of requests is answered to the last one`() throws {
        try onStage(house) { _, stage in
            for number in 1...2_000 { try stage.ask("relay/request/rssi", #"{"transaction": \#(number)}"#) }
            for number in 1...2_000 {
                let transaction = try await stage.response(to: "relay/request/rssi")["transaction"]
                if transaction?.int != number { Issue.record("\(number) was answered as \(transaction ?? nil)") }
            }
        }
    }
}
