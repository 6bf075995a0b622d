import EventLoop
import JSON
import MQTT
import Simulator
import TestTraits
import Testing

@testable import Bridge

/// Requests that fail, and their error codes.
@Suite(.ownThreads) struct RefusalTests {
    private let house = Scenario.house(Scenario.relay)

    struct Mistake: Sendable, CustomTestStringConvertible {
        let request: String
        let payload: String
        let code: String

        init(_ request: String, _ payload: String, _ code: String) {
            (self.request, self.payload, self.code) = (request, payload, code)
        }

        var testDescription: String { "\(code): \(request) \(payload)" }
    }

    @Test func `invalid requests are rejected without a connection`() throws {
        let mistakes = [
            Mistake("relay/request/read", "", "bad_request"),
            Mistake("relay/request/read", "[]", "bad_request"),
            Mistake("relay/request/read", #"{"characteristic": 7}"#, "bad_request"),
            Mistake("relay/request/read", #"{"characteristic": "nonsense"}"#, "unknown_characteristic"),
            Mistake("relay/request/read", #"{"characteristic": "state", "ttl": "soon"}"#, "bad_request"),
            Mistake("relay/request/read", #"{"characteristic": "state", "ttl": -5}"#, "bad_request"),
            Mistake("relay/request/write", #"{"characteristic": "output"}"#, "bad_request"),
            Mistake("relay/request/write", #"{"characteristic": "state", "value": true}"#, "not_allowed"),
            Mistake(
                "relay/request/write", #"{"characteristic": "output", "value": {"hex": "00"}, "response": "yes"}"#,
                "bad_request"),
            Mistake("relay/request/disconnect", #"{"pause": "-1s"}"#, "bad_request"),
            Mistake("relay/request/disconnect", #"{"pause": 0.5}"#, "bad_request"),
            Mistake("relay/request/reboot", "", "unknown_verb"),
            Mistake("relay/request/", "", "unknown_verb"),
            Mistake("relay/request/get", "", "unknown_verb"),
            Mistake("relay/request/set", "", "unknown_verb"),
            Mistake("relay/request/read/state", "", "unknown_verb"),
            Mistake("relay/nonsense/get", "", "unknown_characteristic"),
            Mistake("relay/nonsense/set", "1", "unknown_characteristic"),
            Mistake("relay//get", "", "unknown_characteristic"),
            Mistake("relay/2902/set", #"{"hex": "0100"}"#, "unknown_characteristic"),
            Mistake("relay/state/set", "true", "not_allowed"),
            Mistake("relay/state/set", "on", "not_allowed"),
            Mistake("relay/nonsense/set", "on", "unknown_characteristic"),
            Mistake("relay/output/set", "", "bad_request"),
            Mistake("relay/output/set", "on", "bad_request"),
            Mistake("relay/output/set", "7", "invalid_value"),
            Mistake("relay/output/set", #"{"channel": 1}"#, "invalid_value"),
            Mistake("relay/output/set", #"{"channel": 256, "level": 0}"#, "invalid_value"),
            Mistake("relay/output/set", #"{"channel": 1, "level": 0, "extra": 1}"#, "invalid_value"),
            Mistake("relay/output/set", #"{"hex": "0g"}"#, "invalid_value"),
            Mistake("relay/output/set", #"{"base64": "*"}"#, "invalid_value"),
            Mistake("relay/output/set", #"{"hex": "0a01", "ttl": true}"#, "bad_request"),
            Mistake("bridge/attic/request/nonsense", "", "unknown_verb"),
            Mistake("bridge/attic/request/non/sense", "", "unknown_verb"),
            Mistake("bridge/attic/request/nonsense", "{", "unknown_verb"),
        ]
        try withFixture(house) { fixture in
            for mistake in mistakes {
                let response = try await fixture.request(mistake.request, mistake.payload)
                #expect(response["status"] == "error", "\(mistake)")
                #expect(response["error"]?["code"]?.string == mistake.code, "\(mistake)")
                #expect(response["error"]?["message"]?.string?.isEmpty == false, "\(mistake)")
            }
            #expect(try await fixture.events(of: "relay").isEmpty)
        }
    }

    @Test(arguments: ["now", "7", "[]", " true"])
    func `bad_request: the payload of a request is empty or a JSON object`(payload: String) throws {
        try withFixture(house) { fixture in
            let response = try await fixture.request("bridge/attic/request/reload", payload)
            let message = #"the payload must be empty or a JSON object, such as {"transaction": 1}"#
            #expect(response["error"]?["message"]?.string == message)
        }
    }

    @Test(arguments: [
        ("relay/output/set", "on", #"relay/output: expected JSON such as {"channel":1,"level":1}, found 'on'"#),
        (
            "relay/output/set", "",
            #"relay/output: expected JSON such as {"channel":1,"level":1}, found an empty payload"#
        ),
        ("relay/output/set", "{channel: 1}", "names and strings need double quotation marks"),
        ("relay/output/set", #"{"channel": 1,}"#, "at byte 14: a value or a name must follow the comma"),
        ("relay/output/set", #"{"channel": one}"#, "a text without double quotation marks"),
        ("relay/output/set", #"{"channel": true1}"#, "expected ',' or '}' after the value"),
        ("relay/request/reed", "", "reed: unknown request: did you mean read?"),
        (
            "relay/request/read", #"{"charactristic":"state"}"#,
            "charactristic: unknown parameter: did you mean characteristic?"
        ),
        (
            "relay/request/read", #"{"characteristic":5}"#,
            #"characteristic: expected a text such as "temperature", found '5'"#
        ),
        (
            "relay/request/read", "state",
            #"the payload must be a JSON object, such as {"characteristic":"temperature"}"#
        ),
        ("relay/output/set", #""on""#, #"expected an object such as {"channel":1,"level":1}, found "on""#),
        ("relay/request/disconnect", #"{"puase":"1m"}"#, "puase: unknown parameter: did you mean pause?"),
        (
            "relay/request/subscribe", #"{"characteristic":"secret"}"#,
            "does not notify this characteristic: its flags are "
        ),
        (
            "bridge/attic/request/device/options", #"{"device":"relay","option":{}}"#,
            "option: unknown parameter: did you mean"
        ),
        (
            "bridge/attic/request/device/options", #"{"device":"relay","title":"Lamp"}"#,
            #"title: write it into the member options: {"options":{"title":"Lamp"}}"#
        ),
        ("bridge/attic/request/spool", #"{"drop":"yes"}"#, "drop: expected true or false, found 'yes'"),
        (
            "bridge/attic/request/scan", #"{"for":"99h"}"#,
            #"for: expected a duration up to 10m such as "10s", found '99h'"#
        ),
        ("bridge/attic/request/pair", #"{"device":"relai"}"#, "relai: there is no such device: did you mean relay?"),
        ("bridge/attic/request/scan", #"{"duration":5}"#, "duration: unknown parameter: expected for, such as {"),
        (
            "bridge/attic/request/device/add",
            #"{"device":"lamp","address":"C0:00:00:00:00:09","conect":"never"}"#, "conect"
        ),
        ("relay/request/get", "", "get: unknown request: publish on PREFIX/DEVICE/NAME/get, or send the request read"),
        ("relay/request/scan", "", "request to the gateway: publish on PREFIX/bridge/GATEWAY/request/scan"),
        (
            "bridge/attic/request/read", "",
            "read: unknown request: it is a request to a device: publish on PREFIX/DEVICE"
        ),
        ("bridge/attic/request/rename", "", "rename: unknown request: did you mean device/rename?"),
        ("bridge/attic/request/rename", "on", "rename: unknown request: did you mean device/rename?"),
        ("relay/request/raed", "[1]", "raed: unknown request: did you mean read?"),
        ("bridge/attic/request/pair", "{}", #"device: missing: add the device, such as {"device":"greenhouse"}"#),
    ])
    func `a message says what to change`(request: String, payload: String, part: String) throws {
        try withFixture(house) { fixture in
            let message = try await fixture.request(request, payload)["error"]?["message"]?.string
            #expect(message?.contains(part) == true, "\(message ?? "no message")")
        }
    }

    @Test func `a request on the topic of a field gets a response with the topic and the payload`() throws {
        try withFixture(house) { fixture in
            fixture.publish(Message("bluefleet/relay/output/level/set", Array("1".utf8)))
            let error = try await fixture.recorder.next("bluefleet/relay/response/set")["error"]
            #expect(error?["code"] == "unknown_characteristic")
            let advice = #"; to write a field, publish {"level": VALUE} on relay/output/set"#
            #expect(error?["message"]?.string?.hasSuffix(advice) == true)
        }
    }

    @Test func `a request on a topic without a level gets a response with the right topic`() throws {
        try withFixture(house) { fixture in
            let misplaced = [
                ("relay/set", "relay/response/set", "bluefleet/relay/NAME/set, where NAME is output, state, secret"),
                ("relay/get", "relay/response/get", "bluefleet/relay/NAME/get, where NAME is output, state, secret"),
                ("relay/set/output", "relay/response/set", "bluefleet/relay/output/set"),
                ("bridge/request/scan", "bridge/attic/response/scan", "bluefleet/bridge/attic/request/scan"),
            ]
            for (request, response, right) in misplaced {
                fixture.publish(Message(try Topic("bluefleet/\(request)"), Array(#"{"transaction":7}"#.utf8)))
                let answer = try await fixture.recorder.next("bluefleet/\(response)")
                #expect(answer["transaction"] == 7)
                #expect(answer["error"]?["code"] == "unknown_verb")
                #expect(answer["error"]?["message"]?.string?.hasSuffix(": publish on \(right)") == true)
            }
            // Names that are not ours get no response, and readings are no requests.
            for silent in ["other/set", "relay/state", "bridge/request/state", "bridge/other/request/scan"] {
                fixture.publish(Message(try Topic("bluefleet/\(silent)"), Array("1".utf8)))
            }
            try await fixture.request("relay/request/rssi")
            let answers = misplaced.reduce(into: [:]) { $0[$1.1, default: 0] += 1 }
            for (topic, count) in answers { #expect(fixture.recorder.all("bluefleet/\(topic)").count == count) }
        }
    }

    @Test func `each request gets one response, whatever the levels of the names`() throws {
        try withFixture(house) { fixture in
            let requests = [
                "bridge/attic/request/log_level", "relay/request/rssi", "relay/request/get", "relay/request/set",
            ]
            for device in ["cellar/lamp", "cellar/north/lamp"] {
                let entry =
                    #"{"device":"\#(device)","address":"C0:00:00:00:00:3\#(device.count % 10)","connect":"on demand"}"#
                #expect(try await fixture.request("bridge/attic/request/device/add", entry)["status"] == "ok")
                for request in requests + ["\(device)/request/set", "\(device)/none/get"] {
                    try fixture.ask(request, #"{"ttl":"1ms"}"#)
                    _ = try await fixture.response(to: request)
                }
                // Devices of other gateways, and of none.
                for silent in [
                    "other/x/set", "cellar/other/x/get", "cellar/other/request/read", "bridge/roof/request/scan",
                ] {
                    fixture.publish(Message(try Topic("bluefleet/\(silent)"), Array("1".utf8)))
                }
            }
            #expect(
                try await fixture.request("bridge/attic/request/device/remove", #"{"device":"cellar/lamp"}"#)["status"]
                    == "ok")
            fixture.publish(Message("bluefleet/cellar/lamp/none/get", []))
            try await fixture.request("relay/request/rssi")
            let expected = [
                "bridge/attic/response/log_level": 2, "relay/response/rssi": 3, "relay/response/get": 2,
                "relay/response/set": 2, "cellar/lamp/response/set": 1, "cellar/lamp/response/get": 1,
                "cellar/north/lamp/response/set": 1, "cellar/north/lamp/response/get": 1,
                "bridge/attic/response/device/add": 2,
                "bridge/roof/response/scan": 0, "other/response/set": 0, "cellar/other/response/get": 0,
            ]
            for (topic, count) in expected {
                #expect(fixture.recorder.all("bluefleet/\(topic)").count == count, "\(topic)")
            }
        }
    }

    @Test(arguments: [
        ("North 3", "4e6f7274682033"), (#""North 3""#, "4e6f7274682033"), ("12", "3132"), ("true", "74727565"),
        (#"{"hex":"41"}"#, "41"), (#"{"label":"A"}"#, "41"),
    ])
    func `a text needs no quotation marks`(payload: String, hex: String) throws {
        let scenario = house.with {
            $0.configuration.replace(
                #"[{name: channel, type: uint8}, {name: level, type: uint8, scale: 0.5, unit: "%"}]"#,
                with: "[{name: label, type: utf8}]")
        }
        try withFixture(scenario) { fixture in
            let response = try await fixture.request("relay/output/set", payload)
            #expect(response["data"]?["hex"]?.string == hex)
        }
    }

    @Test func `a ttl may be a number of seconds`() throws {
        try withFixture(house) { fixture in
            let code = try await fixture.refusal("relay/request/read", #"{"characteristic": "state", "ttl": 60}"#)
            #expect(code == nil)
        }
    }

    @Test func `not_allowed: a write that the configuration does not allow`() throws {
        try withFixture(house) { fixture in
            let response = try await fixture.request("relay/state/set", #"{"on": true, "transaction": 7}"#)
            let message =
                #"relay/state: write rejected: the configuration does not allow it. "#
                + #"Add \"write: true\" to this characteristic."#
            let error = #"{"code":"not_allowed","message":"\#(message)"}"#
            #expect(response.description == #"{"status":"error","transaction":7,"error":\#(error)}"#)
        }
    }

    @Test func `att_error: an error of the device carries its ATT code`() throws {
        let scenario = house.with {
            $0.fleet.replace(#"hex: "0000"}"#, with: #"hex: "0000", write_error: 0x81, read_error: 0x05}"#)
        }
        try withFixture(scenario) { fixture in
            var response = try await fixture.request("relay/output/set", #"{"hex": "0101"}"#)
            #expect(response["error"]?["code"] == "att_error")
            #expect(response["error"]?["att"] == 0x81)
            response = try await fixture.request("relay/output/get")
            #expect(response["status"] == "error")
        }
    }

    @Test func `not_found: the device lacks a configured characteristic`() throws {
        let scenario = house.with { $0.configuration.replace("uuid: \(Scenario.secret)", with: "uuid: 2A6E") }
        try withFixture(scenario) { fixture in
            let code = try await fixture.refusal("relay/secret/get")
            #expect(code == "not_found")
            #expect(try await fixture.refusal("relay/state/get") == nil)
        }
    }

    @Test func `not_supported: connect never, and a characteristic that cannot notify`() throws {
        try withFixture(.house("climate: {address: C0:00:00:00:00:01, connect: never}")) { fixture in
            let code = try await fixture.refusal("climate/request/connect")
            #expect(code == "not_supported")
        }
        try withFixture(house) { fixture in
            let request = #"{"characteristic": "secret"}"#
            let code = try await fixture.refusal("relay/request/subscribe", request)
            #expect(code == "not_supported")
        }
    }

    @Test func `expired: a request waits for its device for the time of ttl`() throws {
        let scenario = house.with { $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}") }
        try withFixture(scenario) { fixture in
            let request = #"{"characteristic": "state", "ttl": "20ms", "transaction": 1}"#
            let response = try await fixture.request("relay/request/read", request)
            #expect(response["error"]?["code"] == "expired")
            #expect(response["transaction"] == 1)
            #expect(try await fixture.refusal("relay/request/collect", #"{"ttl": "20ms"}"#) == "expired")
            #expect(try await fixture.refusal("relay/state/get", #"{"ttl": "20ms"}"#) == "expired")
        }
    }

    @Test func `expired: the Message Expiry Interval limits the wait too`() throws {
        let scenario = house.with { $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}") }
        try withFixture(scenario) { fixture in
            for request in ["relay/state/get", "relay/output/set", "relay/request/connect"] {
                let payload = request.hasSuffix("set") ? #"{"hex": "0001"}"# : ""
                try fixture.ask(request, payload, properties: .init(expiry: .seconds(1)))
                #expect(try await fixture.response(to: request)["error"]?["code"] == "expired")
            }
        }
    }

    @Test func `superseded: only the newest set to an absent device is executed`() throws {
        let scenario = house.with { $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}") }
        try withFixture(scenario) { fixture in
            for number in 1...40 {
                let value = #"{"channel": \#(number), "level": 0, "transaction": \#(number)}"#
                try fixture.ask("relay/output/set", value)
            }
            for number in 1...39 {
                let response = try await fixture.response(to: "relay/output/set")
                #expect(response["error"]?["code"] == "superseded")
                #expect(response["transaction"]?.int == number)
            }
            try await fixture.direct { try $0.switchAdvertising(of: "relay", on: true) }
            #expect(try await fixture.response(to: "relay/output/set")["transaction"] == 40)
            let events = try await fixture.events(of: "relay").filter { $0.hasPrefix("write") }
            #expect(events == ["write \(Scenario.output) 2800"])
        }
    }

    @Test func `operations with different op codes do not supersede each other`() throws {
        let operation = "{name: op, type: uint8, values: {0: start, 1: level}}"
        let format = "[\(operation), {name: level, type: uint8, when: op = level}]"
        let scenario = Scenario.house(
            Scenario.relay.replacingAll(
                #"[{name: channel, type: uint8}, {name: level, type: uint8, scale: 0.5, unit: "%"}]"#, with: format)
        ).with { $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}") }
        try withFixture(scenario) { fixture in
            let values = [#"{"op": "level", "level": 5}"#, #"{"op": "start"}"#, #"{"op": "level", "level": 6}"#]
            for value in values { try fixture.ask("relay/output/set", value) }
            #expect(try await fixture.response(to: "relay/output/set")["error"]?["code"] == "superseded")
            try await fixture.direct { try $0.switchAdvertising(of: "relay", on: true) }
            for _ in 1...2 { #expect(try await fixture.response(to: "relay/output/set")["status"] == "ok") }
            let events = try await fixture.events(of: "relay").filter { $0.hasPrefix("write") }
            #expect(events == ["00", "0106"].map { "write \(Scenario.output) \($0)" })
        }
    }

    @Test func `writes do not supersede each other`() throws {
        let scenario = house.with { $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}") }
        try withFixture(scenario) { fixture in
            for byte in ["01", "02", "03"] {
                let request = #"{"characteristic": "output", "value": {"hex": "00\#(byte)"}}"#
                try fixture.ask("relay/request/write", request)
            }
            try fixture.ask("relay/output/set", #"{"hex": "0004"}"#)
            try await fixture.direct { try $0.switchAdvertising(of: "relay", on: true) }
            #expect(try await fixture.response(to: "relay/output/set")["status"] == "ok")
            let events = try await fixture.events(of: "relay").filter { $0.hasPrefix("write") }
            #expect(events == ["01", "02", "03", "04"].map { "write \(Scenario.output) 00\($0)" })
        }
    }

    @Test func `superseded: a disconnect fails the queued commands`() throws {
        let scenario = house.with { $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}") }
        try withFixture(scenario) { fixture in
            try fixture.ask("relay/state/get")
            try fixture.ask("relay/request/collect")
            #expect(try await fixture.request("relay/request/disconnect")["status"] == "ok")
            for request in ["relay/state/get", "relay/request/collect"] {
                #expect(try await fixture.response(to: request)["error"]?["code"] == "superseded")
            }
        }
    }

    @Test func `superseded: a disconnect fails the command in execution`() throws {
        try withFixture(house) { fixture in
            try await fixture.request("relay/state/get")
            try await fixture.plan(.operationHangs, for: "relay")
            try fixture.ask("relay/state/get")
            try fixture.ask("relay/secret/get")
            #expect(try await fixture.request("relay/request/disconnect")["status"] == "ok")
            for _ in 1...2 {
                #expect(try await fixture.response(to: "relay/state/get")["error"]?["code"] == "superseded")
            }
            try await fixture.event("disconnected", of: "relay")
        }
    }

    @Test func `busy: the queue of a device is full`() throws {
        let scenario = house.with { $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}") }
        try withFixture(scenario) { fixture in
            for number in 1...40 { try fixture.ask("relay/state/get", #"{"transaction": \#(number)}"#) }
            for number in 33...40 {
                let response = try await fixture.response(to: "relay/state/get")
                #expect(response["error"]?["code"] == "busy")
                #expect(response["transaction"]?.int == number)
            }
        }
    }

    @Test func `bluetooth_off: new and queued commands fail without Bluetooth`() throws {
        let scenario = house.with { $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}") }
        try withFixture(scenario) { fixture in
            try fixture.ask("relay/state/get")
            try await fixture.connection(of: "relay", "waiting")
            try await fixture.direct { try $0.switchPower(of: "hci0", on: false) }
            #expect(try await fixture.response(to: "relay/state/get")["error"]?["code"] == "bluetooth_off")
            #expect(try await fixture.refusal("relay/state/get") == "bluetooth_off")
        }
    }

    @Test(arguments: [
        ("relay/state/get", "", "relay/state: read: the connection was lost"),
        (
            "relay/output/set", #"{"hex": "0101"}"#,
            "relay/output: write: the connection was lost; it is unknown whether the value was written"
        ),
    ])
    func `failed: the connection is lost during the execution`(request: String, payload: String, message: String) throws
    {
        try withFixture(house) { fixture in
            try await fixture.request("relay/secret/get")
            try await fixture.plan(.operationHangs, times: 1, for: "relay")
            try fixture.ask(request, payload)
            // This request is answered at once, after the other one has begun.
            try await fixture.request("relay/request/rssi")
            try await fixture.direct { try $0.dropLink(of: "relay") }
            let error = try await fixture.response(to: request)["error"]
            #expect(error == ["code": "failed", "message": .string(message)])
        }
    }

    @Test func `invalid_value: a value that is too long is not truncated`() throws {
        try withFixture(house) { fixture in
            let hex = String(repeating: "00", count: 513)
            let code = try await fixture.refusal("relay/output/set", #"{"hex": "\#(hex)"}"#)
            #expect(code == "invalid_value")
            #expect(try await fixture.events(of: "relay").allSatisfy { !$0.hasPrefix("write") })
        }
    }

    @Test func `not_allowed: no verb writes a characteristic without write`() throws {
        let scenario = Scenario.house(
            Scenario.relay + "\n" + "climate:\n  address: C0:00:00:00:00:01\n" + Scenario.climate.indented(by: 2))
        try withFixture(scenario) { fixture in
            let value = #"{"hex": "01"}"#
            let names = [
                "state", "secret", "Output", "output ", "2A6E", Scenario.output, Scenario.state,
                "\(Scenario.service)/\(Scenario.state)", "2902", "2901", "output/2902", "",
            ]
            for name in names {
                let topic = name.contains("/") ? nil : "relay/\(name)/set"
                if let topic { #expect(try await fixture.refusal(topic, value) != nil, "\(name)") }
                let request = #"{"characteristic": "\#(name)", "value": \#(value)}"#
                #expect(try await fixture.refusal("relay/request/write", request) != nil, "\(name)")
            }
            for name in ["temperature", "battery"] {
                #expect(try await fixture.refusal("climate/\(name)/set", value) == "not_allowed")
            }
            for device in ["relay", "climate"] {
                let events = try await fixture.events(of: device)
                #expect(events.allSatisfy { !$0.hasPrefix("write") && !$0.hasPrefix("command") })
            }
        }
    }

    @Test func `requests that wait for a device have up to 128 KiB, and a transaction has up to 4 KiB`() throws {
        try withFixture(house) { fixture in
            try await fixture.direct { try $0.switchAdvertising(of: "relay", on: false) }
            let padding = String(repeating: "x", count: 60_000)
            let request = #"{"characteristic": "state", "ttl": "10d", "x-padding": "\#(padding)"}"#
            for _ in 1...2 { try fixture.ask("relay/request/read", request) }
            try fixture.ask("relay/request/read", request.replacing("state\"", with: "state\", \"transaction\": 7"))
            let refused = try await fixture.response(to: "relay/request/read")
            #expect(refused["error"]?["code"] == "busy")
            #expect(refused["transaction"] == 7)
            let long = #"{"transaction": "\#(String(repeating: "x", count: 5_000))"}"#
            #expect(try await fixture.refusal("relay/request/rssi", long) == "bad_request")
        }
    }

    @Test func `a subscription that fails repeatedly is reported, and a later connection succeeds`() throws {
        try withFixture(.climate("connect: always").with { $0.hasGateway = false }) { fixture in
            // The first connection needs five of them, and the second one tries again once.
            try await fixture.plan(.subscriptionLost, times: 6, for: "climate")
            try await fixture.startGateway()
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "subscribe_failed"
            }
            #expect(event["device"] == "climate")
            let stale = try await fixture.availability(of: "climate", "stale")
            #expect(stale["reason"]?.string?.hasPrefix("cannot subscribe to ") == true)
            try await fixture.availability(of: "climate", "online")
        }
    }

    @Test func `RequestAllowance counts requests until they are answered`() {
        let allowance = RequestAllowance()
        var reservations = (0..<16).map { allowance.reserve(64 << 10, for: "device \($0 / 2)") }
        #expect(!reservations.contains { $0 == nil })
        #expect(allowance.reserve(1, for: "another device") == nil)
        #expect(allowance.reserve(64 << 10, for: nil) != nil)
        reservations.removeLast()
        #expect(allowance.reserve(64 << 10, for: "another device") != nil)
    }

    @Test func `ResponseAllowance reserves room for each response until it is accepted`() {
        let allowance = ResponseAllowance()
        var rooms = (0..<4096).map { _ in allowance.reserve() }
        #expect(!rooms.contains { $0 == nil })
        #expect(allowance.reserve() == nil)
        #expect(rooms[0]?.grow(to: 1025) == false)
        rooms.removeLast(4095)
        #expect(rooms[0]?.grow(to: 4 << 20) == true)
        #expect(rooms[0]?.grow(to: 5) == true)
        #expect(allowance.reserve() == nil)
        rooms = []
        #expect(allowance.reserve() != nil)
    }

    @Test func `RequestAllowance keeps space for other devices`() {
        let allowance = RequestAllowance()
        let reservations = (1...2).map { _ in allowance.reserve(64 << 10, for: "absent") }
        #expect(!reservations.contains { $0 == nil })
        #expect(allowance.reserve(1, for: "absent") == nil)
        #expect(allowance.reserve(64 << 10, for: "relay") != nil)
    }
}
