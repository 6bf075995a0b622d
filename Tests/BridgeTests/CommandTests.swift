import EventLoop
import JSON
import Simulator
import Testing

@testable import MQTT

/// Requests to a device, and their responses (contract, part 4).
@Suite struct CommandTests {
    private let house = Script.house(Script.relay)

    // MARK: Each verb

    @Test func `get reads now, whatever the payload`() throws {
        try onStage(house) { _, stage in
            let payloads = ["", "now!", "{}", "7", #"{"transaction": 7}"#, #"{"ttl": 5, "transaction": 7}"#]
            for payload in payloads {
                let response = try await stage.request("relay/state/get", payload)
                #expect(response["status"] == "ok")
                #expect(response["data"]?["value"] == false)
                #expect(response["transaction"] == (payload.contains("transaction") ? 7 : nil))
            }
            #expect(try await stage.reading("relay/state") == #"{"value":false}"#)
            #expect(try await stage.events(of: "relay").count { $0.hasPrefix("read") } == payloads.count)
        }
    }

    @Test func `read answers with the reading, and publishes it`() throws {
        try onStage(house) { _, stage in
            let request = #"{"characteristic": "secret", "transaction": {"any": ["value"]}}"#
            let response = try await stage.request("relay/request/read", request)
            #expect(response["status"] == "ok")
            #expect(response["transaction"]?.description == #"{"any":["value"]}"#)
            #expect(response["data"]?["characteristic"] == "secret")
            #expect(response["data"]?["value"] == 42)
            #expect(response["data"]?["time"]?.string?.hasSuffix("Z") == true)
            #expect(try await stage.reading("relay/secret") == #"{"value":42}"#)
        }
    }

    struct Write: Sendable {
        let payload: String
        let bytes: String
    }

    @Test(arguments: [
        Write(payload: #"{"channel": 2, "level": 50}"#, bytes: "0264"),
        Write(payload: #"{"channel": 2, "level": 50, "transaction": "a"}"#, bytes: "0264"),
        Write(payload: #"{"channel": 2, "level": 50, "ttl": "5s"}"#, bytes: "0264"),
        Write(payload: #"{"hex": "0a01"}"#, bytes: "0a01"),
        Write(payload: #"{"hex": "0a01", "transaction": "a", "ttl": "5s"}"#, bytes: "0a01"),
        Write(payload: #"{"base64": "CgE="}"#, bytes: "0a01"),
    ])
    func `set writes numbers, fields or bytes`(_ write: Write) throws {
        try onStage(house) { _, stage in
            let response = try await stage.request("relay/output/set", write.payload)
            #expect(response["status"] == "ok")
            #expect(response["transaction"] == (write.payload.contains("transaction") ? "a" : nil))
            #expect(response["data"]?["hex"]?.string == write.bytes)
            #expect(try await stage.events(of: "relay").last == "write \(Script.output) \(write.bytes)")
        }
    }

    @Test func `a reliable write is refused where the device has none, and where nobody is to answer`() throws {
        try onStage(house) { _, stage in
            let value = #""characteristic": "output", "value": {"hex": "01ff"}, "reliable""#
            for (rest, code) in [
                ("true", "not_supported"), (#"true, "response": false"#, "bad_request"), ("1", "bad_request"),
                ("false", nil),
            ] {
                let refusal = try await stage.refusal("relay/request/write", "{\(value): \(rest)}")
                #expect(refusal == code)
            }
        }
    }

    @Test(arguments: [true, false])
    func `a reliable write arrives`(isConfigured: Bool) throws {
        let script = house.with {
            $0.fleet.replace("flags: [read, write, write-", with: "flags: [read, reliable-write, write, write-")
            if isConfigured { $0.configuration.replace("write: true", with: "write: reliable") }
        }
        try onStage(script) { _, stage in
            let reliable = isConfigured ? "" : #", "reliable": true"#
            let response = try await stage.request(
                "relay/request/write", #"{"characteristic": "output", "value": {"hex": "01ff"}\#(reliable)}"#)
            #expect(response["data"]?["response"] == true)
            #expect(try await stage.events(of: "relay").last == "write reliable \(Script.output) 01ff")
        }
    }

    @Test func `write: with and without a response of the device`() throws {
        try onStage(house) { _, stage in
            let value = #""characteristic": "output", "value": {"hex": "01ff"}"#
            for (request, event) in [
                ("", "write"), (#", "response": true"#, "write"), (#", "response": false"#, "command"),
            ] {
                let response = try await stage.request("relay/request/write", "{\(value)\(request)}")
                #expect(response["status"] == "ok")
                #expect(response["data"]?["response"]?.bool == (event == "write"))
                try await stage.until(event) {
                    try await stage.events(of: "relay").last == "\(event) \(Script.output) 01ff"
                }
            }
        }
    }

    @Test func `not_supported: a write without a response that the device would pass over`() throws {
        let script = house.with {
            $0.fleet.replace("flags: [read, write, write-without-response]", with: "flags: [read, write]")
        }
        try onStage(script) { _, stage in
            let value = #""characteristic": "output", "value": {"hex": "01ff"}"#
            let code = try await stage.refusal("relay/request/write", #"{\#(value), "response": false}"#)
            #expect(code == "not_supported")
            #expect(try await stage.refusal("relay/request/write", "{\(value)}") == nil)
            let writes = try await stage.events(of: "relay").filter { !$0.hasPrefix("connected") }
            #expect(writes == ["write \(Script.output) 01ff"])
        }
    }

    @Test func `what is read now and then is read again after it was written`() throws {
        let script = house.with {
            $0.configuration.replace("write: true", with: "write: true\n        read: 1h")
        }
        try onStage(script) { _, stage in
            #expect(try await stage.request("relay/output/set", #"{"channel": 2, "level": 50}"#)["status"] == "ok")
            try await stage.record.next("bluefleet/relay/output") { $0["channel"] == 2 && $0["level"] == 50 }
        }
    }

    @Test func `connect, then disconnect until it is wanted again`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            _ = try await stage.reading("climate/battery")
            try await stage.event("subscribed 2A6F", of: "climate")
            let response = try await stage.request("climate/request/connect")
            #expect(response["data"]?["state"] == "connected")
            try await stage.event("subscribed 2A6F", of: "climate")
            let farewell = try await stage.request("climate/request/disconnect")
            #expect(farewell["status"] == "ok")
            #expect(farewell["data"]?["state"] == "disconnected")
            let events = try await stage.events(of: "climate").suffix(3)
            #expect(Set(events.prefix(2)) == ["unsubscribed 2A6E", "unsubscribed 2A6F"])
            #expect(events.last == "disconnected")
            try await stage.availability(of: "climate", "asleep")
            #expect(try await stage.request("climate/request/connect")["data"]?["state"] == "connected")
            #expect(try await stage.events(of: "climate").count { $0 == "connected" } == 2)
        }
    }

    @Test func `a disconnect is answered also when the device is wanted again at once`() throws {
        try onStage(house) { _, stage in
            try await stage.request("relay/state/get")
            try stage.ask("relay/request/disconnect")
            try stage.ask("relay/state/get")
            #expect(try await stage.response(to: "relay/request/disconnect")["status"] == "ok")
            #expect(try await stage.response(to: "relay/state/get")["status"] == "ok")
            #expect(try await stage.events(of: "relay").count { $0 == "connected" } == 2)
        }
    }

    @Test func `a disconnect in the middle of subscribing leaves no subscription behind`() throws {
        let script = Script.climate("connect: always").with {
            $0.fleet.replace("subscribe: 1ms, disconnect: 10ms", with: "subscribe: 30ms, disconnect: 100ms")
        }
        try onStage(script) { _, stage in
            try await stage.connection(of: "climate", "connected")
            #expect(try await stage.request("climate/request/disconnect")["status"] == "ok")
            let events = try await stage.events(of: "climate")
            let begun = events.filter { $0.hasPrefix("subscribed") }.map { $0.dropFirst("subscribed ".count) }
            let ended = events.filter { $0.hasPrefix("unsubscribed") }.map { $0.dropFirst("unsubscribed ".count) }
            #expect(Set(begun) == Set(ended))
            #expect(events.last == "disconnected")
        }
    }

    @Test func `a pause keeps everybody off, until connect or its end`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.connection(of: "climate", "connected")
            try await stage.request("climate/request/disconnect", #"{"pause": "1h"}"#)
            #expect(try await stage.refusal("climate/battery/get") == "busy")
            #expect(try await stage.refusal("climate/request/collect") == "busy")
            #expect(try await stage.events(of: "climate").last == "disconnected")
            #expect(try await stage.request("climate/request/connect")["status"] == "ok")
            try await stage.request("climate/request/disconnect", #"{"pause": "30ms"}"#)
            try await stage.event("connected", of: "climate", times: 3)
        }
    }

    @Test func `that a device is kept away on request is told, and until when`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            let event = "bluefleet/bridge/attic/event"
            try await stage.connection(of: "climate", "connected")
            var data = try await stage.request("climate/request/disconnect")["data"]
            #expect(data?["reason"] == "on request" && data?["until"] == nil)
            #expect(try await stage.connection(of: "climate", "disconnected")["reason"] == "on request")
            var told = try await stage.record.next(event) { $0["type"] == "device_disconnected" }
            #expect(told["reason"] == "on request" && told["until"] == nil)
            #expect(try await stage.request("climate/request/connect")["data"]?["reason"] == nil)
            data = try await stage.request("climate/request/disconnect", #"{"pause": "1h"}"#)["data"]
            let status = try await stage.connection(of: "climate", "disconnected")
            let until = try #require(status["until"]?.string)
            let time = try #require(status["time"]?.string)
            #expect(status["reason"] == "on request" && until > time && data?["until"]?.string == until)
            told = try await stage.record.next(event) { $0["type"] == "device_disconnected" }
            #expect(told["until"]?.string == until)
        }
    }

    @Test func `collect gets one value of each, and answers with all of them`() throws {
        try onStage(.climate("connect: every 1h").beating()) { _, stage in
            try await stage.event("disconnected", of: "climate")
            let response = try await stage.request("climate/request/collect", #"{"transaction": null}"#)
            #expect(response["status"] == "ok")
            #expect(response["transaction"] == .null)
            #expect(response["data"]?["temperature"]?["value"]?.description == "21.53")
            #expect(response["data"]?["humidity"]?["unit"] == "%")
            #expect(response["data"]?["temperature"]?["time"] != nil)
            try await stage.event("disconnected", of: "climate", times: 2)
        }
    }

    @Test func `collect on a link that is up leaves it up`() throws {
        try onStage(.climate("connect: always").beating()) { _, stage in
            try await stage.connection(of: "climate", "connected")
            let response = try await stage.request("climate/request/collect")
            #expect(response["data"]?["temperature"]?["value"]?.description == "21.53")
            #expect(response["data"]?["humidity"]?["value"]?.description == "40.25")
            #expect(try await stage.events(of: "climate").count { $0 == "disconnected" } == 0)
        }
    }

    @Test func `collect that gets nothing in time ends with timeout`() throws {
        let script = Script.climate("connect: every 1h\nuntil: [humidity]\nwithin: 40ms")
        try onStage(script) { _, stage in
            let response = try await stage.request("climate/request/collect")
            #expect(response["error"]?["code"] == "timeout")
            #expect(response["error"]?["message"]?.string?.contains("climate: no value of humidity within") == true)
        }
    }

    @Test func `collect that is broken off by quiet says so`() throws {
        try onStage(.climate("connect: every 1h\nuntil: [humidity]\nquiet: 60ms")) { _, stage in
            let error = try await stage.request("climate/request/collect")["error"]
            #expect(error?["code"] == "timeout")
            let message = "climate: broken off without a value of humidity: nothing was notified for 60ms"
            #expect(error?["message"]?.string == message)
        }
    }

    @Test func `subscribe and unsubscribe what the configuration does not subscribe`() throws {
        try onStage(house) { _, stage in
            let name = #"{"characteristic": "state"}"#
            #expect(try await stage.request("relay/request/subscribe", name)["data"]?["subscribed"] == true)
            try await stage.notify("01", from: Script.state, of: "relay")
            #expect(try await stage.reading("relay/state") == #"{"value":true}"#)
            #expect(try await stage.request("relay/request/unsubscribe", name)["data"]?["subscribed"] == false)
            try await stage.event("unsubscribed \(Script.state)", of: "relay")
        }
    }

    @Test func `discover tells everything that the device has, also what is not configured`() throws {
        try onStage(.house("relay:\n  address: C0:00:00:00:00:05\n  connect: on demand")) { _, stage in
            let response = try await stage.request("relay/request/discover")
            let services = try #require(response["data"]?["services"]?.array)
            let service = try #require(services.first { $0["uuid"]?.string == Script.service })
            #expect(service["primary"] == true)
            let characteristics = try #require(service["characteristics"]?.array)
            #expect(characteristics.map { $0["uuid"]?.string } == [Script.output, Script.state, Script.secret])
            #expect(characteristics[0]["flags"] == ["read", "write-without-response", "write"])
            #expect(characteristics[2]["descriptors"] == ["2901"])
        }
    }

    @Test func `rssi: how strongly it was heard last, and when`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.connection(of: "climate", "connected")
            let data = try await stage.request("climate/request/rssi")["data"]
            #expect(data?["rssi"] == -61)
            #expect(try #require(data?["age_ms"]?.int) >= 0)
        }
    }

    // MARK: Where the response goes

    @Test func `MQTT 5: the response goes to the Response Topic, with the Correlation Data`() throws {
        try onStage(house) { _, stage in
            let properties = MQTT.Message.Properties(responseTopic: "answers/to/me", correlationData: [0, 255, 7])
            for request in ["relay/state/get", "relay/output/set", "relay/request/read", "relay/request/nonsense"] {
                try stage.ask(request, #"{"hex": "0001"}"#, properties: properties)
                let answer = try await stage.record.message("answers/to/me")
                #expect(answer.properties.correlationData == [0, 255, 7])
                #expect(answer.json?["status"] != nil)
            }
            for verb in ["get", "set", "read", "nonsense"] {
                #expect(stage.record.all("bluefleet/relay/response/\(verb)").isEmpty)
            }
        }
    }

    @Test func `MQTT 3.1.1: requests are answered on the contract's topics`() throws {
        try onStage(house.with { $0.mqtt = "protocol: 3.1.1" }) { _, stage in
            let response = try await stage.request("relay/state/get", #"{"transaction": 1}"#)
            #expect(response["transaction"] == 1)
            #expect(try await stage.request("relay/output/set", #"{"hex": "0101"}"#)["status"] == "ok")
            #expect(try await stage.refusal("relay/request/nonsense") == "unknown_verb")
            #expect(try await stage.refusal("relay/request/get") == "unknown_verb")
            #expect(try await stage.refusal("bridge/attic/request/nonsense") == "unknown_verb")
        }
    }

    @Test func `a request that was retained by mistake is not carried out again`() throws {
        try onStage(house.with { $0.hasGateway = false }) { _, stage in
            stage.publish(Message("bluefleet/relay/output/set", text: #"{"hex": "0101"}"#, isRetained: true))
            try await stage.startGateway()
            let response = try await stage.request("relay/output/set", #"{"hex": "0202"}"#)
            #expect(response["data"]?["hex"] == "0202")
            #expect(
                try await stage.events(of: "relay").filter { $0.hasPrefix("write") } == ["write \(Script.output) 0202"])
        }
    }

    @Test func `a request that comes while the gateway is away is not carried out later`() throws {
        try onStage(house) { _, stage in
            try await stage.stopGateway()
            stage.publish(Message("bluefleet/relay/output/set", text: #"{"hex": "0101"}"#))
            try await stage.startGateway()
            #expect(try await stage.request("relay/output/set", #"{"hex": "0202"}"#)["status"] == "ok")
            #expect(
                try await stage.events(of: "relay").filter { $0.hasPrefix("write") } == ["write \(Script.output) 0202"])
        }
    }

    @Test func `names of several levels, of devices and of characteristics`() throws {
        let devices = """
            house:
              address: C0:00:00:00:00:01
              connect: on demand
              characteristics:
                cellar/humidity: {service: 181A, uuid: 2A6F, write: true}
                temperature: {service: 181A, uuid: 2A6E}
            house/cellar:
              address: C0:00:00:00:00:05
              connect: on demand
              characteristics:
                light/state: {service: \(Script.service), uuid: \(Script.state)}
            """
        try onStage(.house(devices)) { _, stage in
            func answer(_ request: String, from device: String) async throws -> JSON {
                try stage.ask(request, answeredBy: device)
                let verb = request.split(separator: "/").last ?? ""
                return try await stage.record.next("bluefleet/\(device)/response/\(verb)")
            }
            var response = try await answer("house/cellar/humidity/get", from: "house")
            #expect(response["data"]?["characteristic"] == "cellar/humidity")
            response = try await answer("house/cellar/light/state/get", from: "house/cellar")
            #expect(response["data"]?["characteristic"] == "light/state")
            response = try await answer("house/temperature/get", from: "house")
            #expect(response["data"]?["characteristic"] == "temperature")
            response = try await answer("house/cellar/nonsense/get", from: "house/cellar")
            #expect(response["error"]?["code"] == "unknown_characteristic")
            response = try await answer("house/cellar/humidity/set", from: "house")
            #expect(response["error"]?["code"] == "bad_request")
            #expect(try await stage.request("house/cellar/request/rssi")["error"]?["code"] != "unknown_verb")
        }
    }

    @Test func `commands to one device are carried out in their order`() throws {
        try onStage(house) { _, stage in
            for number in 1...20 {
                let write = #""characteristic": "output", "value": {"hex": "00\#(number + 10)"}"#
                try stage.ask("relay/request/write", "{\(write), \"transaction\": \(number)}")
            }
            for number in 1...20 {
                #expect(try await stage.response(to: "relay/request/write")["transaction"]?.int == number)
            }
            let written = try await stage.events(of: "relay").filter { $0.hasPrefix("write") }
            #expect(written == (11...30).map { "write \(Script.output) 00\($0)" })
        }
    }
}

extension MQTT.Message {
    init(_ topic: Topic, text: String, isRetained: Bool = false) {
        self.init(topic, Array(text.utf8), isRetained: isRetained)
    }
}
