import EventLoop
import JSON
import MQTT
import Simulator
import Testing

/// Requests that cannot be fulfilled, and the code that each gets (contract, part 4).
@Suite struct RefusalTests {
    private let house = Script.house(Script.relay)

    struct Mistake: Sendable, CustomTestStringConvertible {
        let request: String
        let payload: String
        let code: String

        init(_ request: String, _ payload: String, _ code: String) {
            (self.request, self.payload, self.code) = (request, payload, code)
        }

        var testDescription: String { "\(code): \(request) \(payload)" }
    }

    @Test func `what can be seen without the device is refused without it`() throws {
        let mistakes = [
            Mistake("relay/request/read", "", "bad_request"),
            Mistake("relay/request/read", "[]", "bad_request"),
            Mistake("relay/request/read", #"{"characteristic": 7}"#, "bad_request"),
            Mistake("relay/request/read", #"{"characteristic": "nonsense"}"#, "unknown_characteristic"),
            Mistake("relay/request/read", #"{"characteristic": "state", "ttl": "soon"}"#, "bad_request"),
            Mistake("relay/request/read", #"{"characteristic": "state", "ttl": 5}"#, "bad_request"),
            Mistake("relay/request/write", #"{"characteristic": "output"}"#, "bad_request"),
            Mistake("relay/request/write", #"{"characteristic": "state", "value": true}"#, "not_allowed"),
            Mistake(
                "relay/request/write", #"{"characteristic": "output", "value": {"hex": "00"}, "response": "yes"}"#,
                "bad_request"),
            Mistake("relay/request/disconnect", #"{"pause": "-1s"}"#, "bad_request"),
            Mistake("relay/request/disconnect", #"{"pause": 10}"#, "bad_request"),
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
            Mistake("relay/output/set", "", "bad_request"),
            Mistake("relay/output/set", "on", "bad_request"),
            Mistake("relay/output/set", "7", "invalid_value"),
            Mistake("relay/output/set", #"{"channel": 1}"#, "invalid_value"),
            Mistake("relay/output/set", #"{"channel": 256, "level": 0}"#, "invalid_value"),
            Mistake("relay/output/set", #"{"channel": 1, "level": 0, "extra": 1}"#, "invalid_value"),
            Mistake("relay/output/set", #"{"hex": "0g"}"#, "invalid_value"),
            Mistake("relay/output/set", #"{"base64": "*"}"#, "invalid_value"),
            Mistake("relay/output/set", #"{"hex": "0a01", "ttl": 5}"#, "bad_request"),
            Mistake("bridge/attic/request/nonsense", "", "unknown_verb"),
            Mistake("bridge/attic/request/non/sense", "", "unknown_verb"),
            Mistake("bridge/attic/request/nonsense", "{", "bad_request"),
        ]
        try onStage(house) { _, stage in
            for mistake in mistakes {
                let response = try await stage.request(mistake.request, mistake.payload)
                #expect(response["status"] == "error", "\(mistake)")
                #expect(response["error"]?["code"]?.string == mistake.code, "\(mistake)")
                #expect(response["error"]?["message"]?.string?.isEmpty == false, "\(mistake)")
            }
            #expect(try await stage.events(of: "relay").isEmpty)
        }
    }

    @Test func `the contract's own example of a refusal`() throws {
        try onStage(house) { _, stage in
            let response = try await stage.request("relay/state/set", #"{"on": true, "transaction": 7}"#)
            let error = #"{"code":"not_allowed","message":"relay/state: nothing may be written: set write: true"}"#
            #expect(response.description == #"{"status":"error","transaction":7,"error":\#(error)}"#)
        }
    }

    @Test func `an error of the device comes with the code of the Attribute Protocol`() throws {
        let script = house.with {
            $0.fleet.replace(#"hex: "0000"}"#, with: #"hex: "0000", write_error: 0x81, read_error: 0x05}"#)
        }
        try onStage(script) { _, stage in
            var response = try await stage.request("relay/output/set", #"{"hex": "0101"}"#)
            #expect(response["error"]?["code"] == "att_error")
            #expect(response["error"]?["att"] == 0x81)
            response = try await stage.request("relay/output/get")
            #expect(response["status"] == "error")
        }
    }

    @Test func `not_found: the device does not have what is configured`() throws {
        let script = house.with { $0.configuration.replace("uuid: \(Script.secret)", with: "uuid: 2A6E") }
        try onStage(script) { _, stage in
            let code = try await stage.refusal("relay/secret/get")
            #expect(code == "not_found")
            #expect(try await stage.refusal("relay/state/get") == nil)
        }
    }

    @Test func `not_supported: a device that is never connected to, and a characteristic that cannot notify`() throws {
        try onStage(.house("climate: {address: C0:00:00:00:00:01, connect: never}")) { _, stage in
            let code = try await stage.refusal("climate/request/connect")
            #expect(code == "not_supported")
        }
        try onStage(house) { _, stage in
            let request = #"{"characteristic": "secret"}"#
            let code = try await stage.refusal("relay/request/subscribe", request)
            #expect(code == "not_supported")
        }
    }

    @Test func `expired: a request waits for its device as long as it says, and no longer`() throws {
        let script = house.with { $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}") }
        try onStage(script) { _, stage in
            let request = #"{"characteristic": "state", "ttl": "20ms", "transaction": 1}"#
            let response = try await stage.request("relay/request/read", request)
            #expect(response["error"]?["code"] == "expired")
            #expect(response["transaction"] == 1)
            #expect(try await stage.refusal("relay/request/collect", #"{"ttl": "20ms"}"#) == "expired")
            #expect(try await stage.refusal("relay/state/get", #"{"ttl": "20ms"}"#) == "expired")
        }
    }

    @Test func `expired: also when the request's message is worth no more`() throws {
        let script = house.with { $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}") }
        try onStage(script) { _, stage in
            for request in ["relay/state/get", "relay/output/set", "relay/request/connect"] {
                let payload = request.hasSuffix("set") ? #"{"hex": "0001"}"# : ""
                try stage.ask(request, payload, properties: .init(expiry: .seconds(1)))
                #expect(try await stage.response(to: request)["error"]?["code"] == "expired")
            }
        }
    }

    @Test func `superseded: of what is set while the device is away, the newest value is written`() throws {
        let script = house.with { $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}") }
        try onStage(script) { _, stage in
            for number in 1...40 {
                let value = #"{"channel": \#(number), "level": 0, "transaction": \#(number)}"#
                try stage.ask("relay/output/set", value)
            }
            for number in 1...39 {
                let response = try await stage.response(to: "relay/output/set")
                #expect(response["error"]?["code"] == "superseded")
                #expect(response["transaction"]?.int == number)
            }
            try await stage.direct { try $0.switchAdvertising(of: "relay", on: true) }
            #expect(try await stage.response(to: "relay/output/set")["transaction"] == 40)
            let events = try await stage.events(of: "relay").filter { $0.hasPrefix("write") }
            #expect(events == ["write \(Script.output) 2800"])
        }
    }

    @Test func `writes do not supersede each other`() throws {
        let script = house.with { $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}") }
        try onStage(script) { _, stage in
            for byte in ["01", "02", "03"] {
                let request = #"{"characteristic": "output", "value": {"hex": "00\#(byte)"}}"#
                try stage.ask("relay/request/write", request)
            }
            try stage.ask("relay/output/set", #"{"hex": "0004"}"#)
            try await stage.direct { try $0.switchAdvertising(of: "relay", on: true) }
            #expect(try await stage.response(to: "relay/output/set")["status"] == "ok")
            let events = try await stage.events(of: "relay").filter { $0.hasPrefix("write") }
            #expect(events == ["01", "02", "03", "04"].map { "write \(Script.output) 00\($0)" })
        }
    }

    @Test func `superseded: a disconnect ends what waits for the device`() throws {
        let script = house.with { $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}") }
        try onStage(script) { _, stage in
            try stage.ask("relay/state/get")
            try stage.ask("relay/request/collect")
            #expect(try await stage.request("relay/request/disconnect")["status"] == "ok")
            for request in ["relay/state/get", "relay/request/collect"] {
                #expect(try await stage.response(to: request)["error"]?["code"] == "superseded")
            }
        }
    }

    @Test func `superseded: also what the device is busy with`() throws {
        try onStage(house) { _, stage in
            try await stage.request("relay/state/get")
            try await stage.plan(.operationHangs, for: "relay")
            try stage.ask("relay/state/get")
            try stage.ask("relay/secret/get")
            #expect(try await stage.request("relay/request/disconnect")["status"] == "ok")
            for _ in 1...2 {
                #expect(try await stage.response(to: "relay/state/get")["error"]?["code"] == "superseded")
            }
            try await stage.event("disconnected", of: "relay")
        }
    }

    @Test func `busy: no more than so many may wait for one device`() throws {
        let script = house.with { $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}") }
        try onStage(script) { _, stage in
            for number in 1...40 { try stage.ask("relay/state/get", #"{"transaction": \#(number)}"#) }
            for number in 33...40 {
                let response = try await stage.response(to: "relay/state/get")
                #expect(response["error"]?["code"] == "busy")
                #expect(response["transaction"]?.int == number)
            }
        }
    }

    @Test func `bluetooth_off: at once, and for what waits when it is switched off`() throws {
        let script = house.with { $0.fleet.replace("advertise: {every: 5ms}", with: "advertise: {on: false}") }
        try onStage(script) { _, stage in
            try stage.ask("relay/state/get")
            try await stage.connection(of: "relay", "waiting")
            try await stage.direct { try $0.switchPower(of: "hci0", on: false) }
            #expect(try await stage.response(to: "relay/state/get")["error"]?["code"] == "bluetooth_off")
            #expect(try await stage.refusal("relay/state/get") == "bluetooth_off")
        }
    }

    @Test(arguments: [
        ("relay/state/get", "", "relay/state: read: the link was lost meanwhile"),
        (
            "relay/output/set", #"{"hex": "0101"}"#,
            "relay/output: write: the link was lost meanwhile; it may or may not have been written"
        ),
    ])
    func `failed: the link goes down in the middle`(request: String, payload: String, message: String) throws {
        try onStage(house) { _, stage in
            try await stage.request("relay/secret/get")
            try await stage.plan(.operationHangs, times: 1, for: "relay")
            try stage.ask(request, payload)
            // Answered at once, and after the other has begun.
            try await stage.request("relay/request/rssi")
            try await stage.direct { try $0.dropLink(of: "relay") }
            let error = try await stage.response(to: request)["error"]
            #expect(error == ["code": "failed", "message": .string(message)])
        }
    }

    @Test func `a value that is too long is refused, and not cut`() throws {
        try onStage(house) { _, stage in
            let hex = String(repeating: "00", count: 513)
            let code = try await stage.refusal("relay/output/set", #"{"hex": "\#(hex)"}"#)
            #expect(code == "invalid_value")
            #expect(try await stage.events(of: "relay").allSatisfy { !$0.hasPrefix("write") })
        }
    }

    @Test func `nothing can be written that the configuration does not allow`() throws {
        let script = Script.house(
            Script.relay + "\n" + "climate:\n  address: C0:00:00:00:00:01\n" + Script.climate.indented(by: 2))
        try onStage(script) { _, stage in
            let value = #"{"hex": "01"}"#
            let names = [
                "state", "secret", "Output", "output ", "2A6E", Script.output, Script.state,
                "\(Script.service)/\(Script.state)", "2902", "2901", "output/2902", "",
            ]
            for name in names {
                let topic = name.contains("/") ? nil : "relay/\(name)/set"
                if let topic { #expect(try await stage.refusal(topic, value) != nil, "\(name)") }
                let request = #"{"characteristic": "\#(name)", "value": \#(value)}"#
                #expect(try await stage.refusal("relay/request/write", request) != nil, "\(name)")
            }
            for name in ["temperature", "battery"] {
                #expect(try await stage.refusal("climate/\(name)/set", value) == "not_allowed")
            }
            for device in ["relay", "climate"] {
                let events = try await stage.events(of: device)
                #expect(events.allSatisfy { !$0.hasPrefix("write") && !$0.hasPrefix("command") })
            }
        }
    }
}
