import EventLoop
import JSON
import Simulator
import TestTraits
import Testing

@testable import Contract
@testable import MQTT

/// Requests to a device, and their responses.
@Suite(.ownThreads) struct CommandTests {
    private let house = Scenario.house(Scenario.relay)

    // MARK: Verbs

    @Test func `get reads now with any payload`() throws {
        try withFixture(house) { fixture in
            let payloads = ["", "now!", "{}", "7", #"{"transaction": 7}"#, #"{"ttl": 5, "transaction": 7}"#]
            for payload in payloads {
                let response = try await fixture.request("relay/state/get", payload)
                #expect(response["status"] == "ok")
                #expect(response["data"]?["value"] == false)
                #expect(response["transaction"] == (payload.contains("transaction") ? 7 : nil))
            }
            #expect(try await fixture.reading("relay/state") == #"{"value":false}"#)
            #expect(try await fixture.events(of: "relay").count { $0.hasPrefix("read") } == payloads.count)
        }
    }

    @Test func `read returns the reading and publishes it`() throws {
        try withFixture(house) { fixture in
            let request = #"{"characteristic": "secret", "transaction": {"any": ["value"]}}"#
            let response = try await fixture.request("relay/request/read", request)
            #expect(response["status"] == "ok")
            #expect(response["transaction"]?.description == #"{"any":["value"]}"#)
            #expect(response["data"]?["characteristic"] == "secret")
            #expect(response["data"]?["value"] == 42)
            #expect(response["data"]?["time"]?.string?.hasSuffix("Z") == true)
            #expect(try await fixture.reading("relay/secret") == #"{"value":42}"#)
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
        try withFixture(house) { fixture in
            let response = try await fixture.request("relay/output/set", write.payload)
            #expect(response["status"] == "ok")
            #expect(response["transaction"] == (write.payload.contains("transaction") ? "a" : nil))
            #expect(response["data"]?["hex"]?.string == write.bytes)
            #expect(response["data"]?["value"]?["channel"] == (write.bytes == "0264" ? 2 : 10))
            #expect(try await fixture.events(of: "relay").last == "write \(Scenario.output) \(write.bytes)")
        }
    }

    @Test(arguments: [
        ("relay/clock/set", "now"), ("relay/clock/set", #""now""#),
        ("relay/request/write", #"{"characteristic": "clock", "value": "now"}"#),
    ])
    func `now sets a clock to the time of the gateway`(request: String, payload: String) throws {
        let scenario = house.with {
            $0.fleet.replace(
                "      - {uuid: \(Scenario.state)",
                with: "      - {uuid: current_time, flags: [read, write]}\n"
                    + "          - {uuid: \(Scenario.state)")
            $0.configuration.replace("    state: {", with: "    clock: {uuid: 2A2B, write: true}\n      state: {")
        }
        try withFixture(scenario) { fixture in
            let response = try await fixture.request(request, payload)
            #expect(response["status"] == "ok")
            #expect(response["data"]?["value"]?["external_reference_time_update"] == true)
            let hex = response["data"]?["hex"]?.string ?? ""
            #expect(hex.hasSuffix("02") && hex.count == 20)
            #expect(try await fixture.events(of: "relay").last == "write 2A2B \(hex)")
        }
    }

    @Test func `a reliable write is rejected if the device does not support it, and without a response`() throws {
        try withFixture(house) { fixture in
            let value = #""characteristic": "output", "value": {"hex": "01ff"}, "reliable""#
            for (rest, code) in [
                ("true", "not_supported"), (#"true, "response": false"#, "bad_request"), ("1", "bad_request"),
                ("false", nil),
            ] {
                let refusal = try await fixture.refusal("relay/request/write", "{\(value): \(rest)}")
                #expect(refusal == code)
            }
        }
    }

    @Test(arguments: [true, false])
    func `a reliable write reaches the device`(isConfigured: Bool) throws {
        let scenario = house.with {
            $0.fleet.replace("flags: [read, write, write-", with: "flags: [read, reliable-write, write, write-")
            if isConfigured { $0.configuration.replace("write: true", with: "write: reliable") }
        }
        try withFixture(scenario) { fixture in
            let reliable = isConfigured ? "" : #", "reliable": true"#
            let response = try await fixture.request(
                "relay/request/write", #"{"characteristic": "output", "value": {"hex": "01ff"}\#(reliable)}"#)
            #expect(response["data"]?["response"] == true)
            #expect(try await fixture.events(of: "relay").last == "write reliable \(Scenario.output) 01ff")
        }
    }

    @Test func `write sends requests with and without response`() throws {
        try withFixture(house) { fixture in
            let value = #""characteristic": "output", "value": {"hex": "01ff"}"#
            for (request, event) in [
                ("", "write"), (#", "response": true"#, "write"), (#", "response": false"#, "command"),
            ] {
                let response = try await fixture.request("relay/request/write", "{\(value)\(request)}")
                #expect(response["status"] == "ok")
                #expect(response["data"]?["response"]?.bool == (event == "write"))
                try await fixture.until(event) {
                    try await fixture.events(of: "relay").last == "\(event) \(Scenario.output) 01ff"
                }
            }
        }
    }

    @Test func `not_supported: a write without response that the device would ignore`() throws {
        let scenario = house.with {
            $0.fleet.replace("flags: [read, write, write-without-response]", with: "flags: [read, write]")
        }
        try withFixture(scenario) { fixture in
            let value = #""characteristic": "output", "value": {"hex": "01ff"}"#
            let code = try await fixture.refusal("relay/request/write", #"{\#(value), "response": false}"#)
            #expect(code == "not_supported")
            #expect(try await fixture.refusal("relay/request/write", "{\(value)}") == nil)
            let writes = try await fixture.events(of: "relay").filter { !$0.hasPrefix("connected") }
            #expect(writes == ["write \(Scenario.output) 01ff"])
        }
    }

    @Test func `a characteristic that is read periodically is read again after a write`() throws {
        let scenario = house.with {
            $0.configuration.replace("write: true", with: "write: true\n        read: 1h")
        }
        try withFixture(scenario) { fixture in
            #expect(try await fixture.request("relay/output/set", #"{"channel": 2, "level": 50}"#)["status"] == "ok")
            try await fixture.recorder.next("bluefleet/relay/output") { $0["channel"] == 2 && $0["level"] == 50 }
        }
    }

    @Test func `disconnect cancels the subscriptions, and connect connects again`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            _ = try await fixture.reading("climate/battery")
            try await fixture.event("subscribed 2A6F", of: "climate")
            let response = try await fixture.request("climate/request/connect")
            #expect(response["data"]?["state"] == "connected")
            try await fixture.event("subscribed 2A6F", of: "climate")
            let disconnected = try await fixture.request("climate/request/disconnect")
            #expect(disconnected["status"] == "ok")
            #expect(disconnected["data"]?["state"] == "disconnected")
            let events = try await fixture.events(of: "climate").suffix(3)
            #expect(Set(events.prefix(2)) == ["unsubscribed 2A6E", "unsubscribed 2A6F"])
            #expect(events.last == "disconnected")
            try await fixture.availability(of: "climate", "asleep")
            #expect(try await fixture.request("climate/request/connect")["data"]?["state"] == "connected")
            #expect(try await fixture.events(of: "climate").count { $0 == "connected" } == 2)
        }
    }

    @Test func `disconnect is answered even if another command follows at once`() throws {
        try withFixture(house) { fixture in
            try await fixture.request("relay/state/get")
            try fixture.ask("relay/request/disconnect")
            try fixture.ask("relay/state/get")
            #expect(try await fixture.response(to: "relay/request/disconnect")["status"] == "ok")
            #expect(try await fixture.response(to: "relay/state/get")["status"] == "ok")
            #expect(try await fixture.events(of: "relay").count { $0 == "connected" } == 2)
        }
    }

    @Test func `a disconnect during subscribing leaves no subscription behind`() throws {
        let scenario = Scenario.climate("connect: always").with {
            $0.fleet.replace("subscribe: 1ms, disconnect: 10ms", with: "subscribe: 30ms, disconnect: 100ms")
        }
        try withFixture(scenario) { fixture in
            try await fixture.connection(of: "climate", "connected")
            #expect(try await fixture.request("climate/request/disconnect")["status"] == "ok")
            let events = try await fixture.events(of: "climate")
            let begun = events.filter { $0.hasPrefix("subscribed") }.map { $0.dropFirst("subscribed ".count) }
            let ended = events.filter { $0.hasPrefix("unsubscribed") }.map { $0.dropFirst("unsubscribed ".count) }
            #expect(Set(begun) == Set(ended))
            #expect(events.last == "disconnected")
        }
    }

    @Test func `a pause rejects commands until connect or its end`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.connection(of: "climate", "connected")
            try await fixture.request("climate/request/disconnect", #"{"pause": "1h"}"#)
            #expect(try await fixture.refusal("climate/battery/get") == "busy")
            #expect(try await fixture.refusal("climate/request/collect") == "busy")
            #expect(try await fixture.events(of: "climate").last == "disconnected")
            #expect(try await fixture.request("climate/request/connect")["status"] == "ok")
            try await fixture.request("climate/request/disconnect", #"{"pause": "30ms"}"#)
            try await fixture.event("connected", of: "climate", times: 3)
        }
    }

    @Test func `a disconnected device reports "on request" and the end of the pause`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            let event = "bluefleet/bridge/attic/event"
            try await fixture.connection(of: "climate", "connected")
            var data = try await fixture.request("climate/request/disconnect")["data"]
            #expect(data?["reason"] == "on request" && data?["until"] == nil)
            #expect(try await fixture.connection(of: "climate", "disconnected")["reason"] == "on request")
            var end = try await fixture.recorder.next(event) { $0["type"] == "device_disconnected" }
            #expect(end["reason"] == "on request" && end["until"] == nil)
            #expect(try await fixture.request("climate/request/connect")["data"]?["reason"] == nil)
            data = try await fixture.request("climate/request/disconnect", #"{"pause": "1h"}"#)["data"]
            let status = try await fixture.connection(of: "climate", "disconnected")
            let until = try #require(status["until"]?.string)
            let time = try #require(status["time"]?.string)
            #expect(status["reason"] == "on request" && until > time && data?["until"]?.string == until)
            end = try await fixture.recorder.next(event) { $0["type"] == "device_disconnected" }
            #expect(end["until"]?.string == until)
        }
    }

    @Test func `collect returns one value of each characteristic`() throws {
        try withFixture(.climate("connect: every 1h").beating()) { fixture in
            try await fixture.event("disconnected", of: "climate")
            let response = try await fixture.request("climate/request/collect", #"{"transaction": null}"#)
            #expect(response["status"] == "ok")
            #expect(response["transaction"] == .null)
            #expect(response["data"]?["temperature"]?["value"]?.description == "21.53")
            #expect(response["data"]?["humidity"]?["unit"] == "%")
            #expect(response["data"]?["temperature"]?["time"] != nil)
            try await fixture.event("disconnected", of: "climate", times: 2)
        }
    }

    @Test func `collect leaves an existing connection up`() throws {
        try withFixture(.climate("connect: always").beating()) { fixture in
            try await fixture.connection(of: "climate", "connected")
            let response = try await fixture.request("climate/request/collect")
            #expect(response["data"]?["temperature"]?["value"]?.description == "21.53")
            #expect(response["data"]?["humidity"]?["value"]?.description == "40.25")
            #expect(try await fixture.events(of: "climate").count { $0 == "disconnected" } == 0)
        }
    }

    @Test func `timeout: collect without a value within the limit`() throws {
        let scenario = Scenario.climate("connect: every 1h\nuntil: [humidity]\nwithin: 40ms")
        try withFixture(scenario) { fixture in
            let response = try await fixture.request("climate/request/collect")
            #expect(response["error"]?["code"] == "timeout")
            #expect(response["error"]?["message"]?.string?.contains("climate: no value of humidity within") == true)
        }
    }

    @Test func `a collect that fails contains the values that arrived`() throws {
        let scenario = Scenario.climate("connect: every 1h\nuntil: [battery, humidity]\nwithin: 300ms")
        try withFixture(scenario) { fixture in
            // The time limit begins with the session: on a busy machine the first one may be too short for a value.
            try await fixture.until("a value") {
                let response = try await fixture.request("climate/request/collect")
                #expect(response["error"]?["code"] == "timeout")
                #expect(response["data"]?["humidity"] == nil)
                return response["data"]?["battery"]?["value"] == 93
            }
        }
    }

    @Test func `collect reports an interruption by quiet`() throws {
        try withFixture(.climate("connect: every 1h\nuntil: [humidity]\nquiet: 60ms")) { fixture in
            let error = try await fixture.request("climate/request/collect")["error"]
            #expect(error?["code"] == "timeout")
            let message =
                "climate: collecting was interrupted without a value of humidity: no notification for 60ms"
            #expect(error?["message"]?.string == message)
        }
    }

    @Test func `subscribe and unsubscribe accept a characteristic without a configured subscription`() throws {
        try withFixture(house) { fixture in
            let name = #"{"characteristic": "state"}"#
            #expect(try await fixture.request("relay/request/subscribe", name)["data"]?["subscribed"] == true)
            try await fixture.notify("01", from: Scenario.state, of: "relay")
            #expect(try await fixture.reading("relay/state") == #"{"value":true}"#)
            #expect(try await fixture.request("relay/request/unsubscribe", name)["data"]?["subscribed"] == false)
            try await fixture.event("unsubscribed \(Scenario.state)", of: "relay")
        }
    }

    @Test func `discover returns all attributes, including those that are not configured`() throws {
        try withFixture(.house("relay:\n  address: C0:00:00:00:00:05\n  connect: on demand")) { fixture in
            let response = try await fixture.request("relay/request/discover")
            let services = try #require(response["data"]?["services"]?.array)
            let service = try #require(services.first { $0["uuid"]?.string == Scenario.service })
            #expect(service["primary"] == true)
            let characteristics = try #require(service["characteristics"]?.array)
            #expect(characteristics.map { $0["uuid"]?.string } == [Scenario.output, Scenario.state, Scenario.secret])
            #expect(characteristics[0]["flags"] == ["read", "write-without-response", "write"])
            #expect(characteristics[2]["descriptors"] == ["2901"])
        }
    }

    @Test func `rssi returns the last signal strength and its age`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.connection(of: "climate", "connected")
            let data = try await fixture.request("climate/request/rssi")["data"]
            #expect(data?["rssi"] == -61)
            #expect(try #require(data?["age_ms"]?.int) >= 0)
        }
    }

    // MARK: Response topics

    @Test func `MQTT 5: a response carries the Correlation Data to the Response Topic`() throws {
        try withFixture(house) { fixture in
            let properties = MQTT.Message.Properties(responseTopic: "answers/to/me", correlationData: [0, 255, 7])
            for request in ["relay/state/get", "relay/output/set", "relay/request/read", "relay/request/nonsense"] {
                try fixture.ask(request, #"{"hex": "0001"}"#, properties: properties)
                let answer = try await fixture.recorder.message("answers/to/me")
                #expect(answer.properties.correlationData == [0, 255, 7])
                #expect(answer.json?["status"] != nil)
            }
            for verb in ["get", "set", "read", "nonsense"] {
                #expect(fixture.recorder.all("bluefleet/relay/response/\(verb)").isEmpty)
            }
        }
    }

    @Test func `MQTT 3.1.1: requests are answered on the default topics`() throws {
        try withFixture(house.with { $0.mqtt = "protocol: 3.1.1" }) { fixture in
            let response = try await fixture.request("relay/state/get", #"{"transaction": 1}"#)
            #expect(response["transaction"] == 1)
            #expect(try await fixture.request("relay/output/set", #"{"hex": "0101"}"#)["status"] == "ok")
            #expect(try await fixture.refusal("relay/request/nonsense") == "unknown_verb")
            #expect(try await fixture.refusal("relay/request/get") == "unknown_verb")
            #expect(try await fixture.refusal("bridge/attic/request/nonsense") == "unknown_verb")
        }
    }

    @Test func `a retained request is not executed`() throws {
        try withFixture(house.with { $0.hasGateway = false }) { fixture in
            fixture.publish(Message("bluefleet/relay/output/set", text: #"{"hex": "0101"}"#, isRetained: true))
            try await fixture.startGateway()
            let response = try await fixture.request("relay/output/set", #"{"hex": "0202"}"#)
            #expect(response["data"]?["hex"] == "0202")
            #expect(
                try await fixture.events(of: "relay").filter { $0.hasPrefix("write") } == [
                    "write \(Scenario.output) 0202"
                ])
        }
    }

    @Test func `a request during the gateway's absence is not executed later`() throws {
        try withFixture(house) { fixture in
            try await fixture.stopGateway()
            fixture.publish(Message("bluefleet/relay/output/set", text: #"{"hex": "0101"}"#))
            try await fixture.startGateway()
            #expect(try await fixture.request("relay/output/set", #"{"hex": "0202"}"#)["status"] == "ok")
            #expect(
                try await fixture.events(of: "relay").filter { $0.hasPrefix("write") } == [
                    "write \(Scenario.output) 0202"
                ])
        }
    }

    @Test func `devices and characteristics may have names of several levels`() throws {
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
                light/state: {service: \(Scenario.service), uuid: \(Scenario.state)}
            """
        try withFixture(.house(devices)) { fixture in
            func answer(_ request: String, from device: String) async throws -> JSON {
                try fixture.ask(request, answeredBy: device)
                let verb = request.split(separator: "/").last ?? ""
                return try await fixture.recorder.next("bluefleet/\(device)/response/\(verb)")
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
            #expect(try await fixture.request("house/cellar/request/rssi")["error"]?["code"] != "unknown_verb")
        }
    }

    @Test func `commands to one device are executed in order`() throws {
        try withFixture(house) { fixture in
            for number in 1...20 {
                let write = #""characteristic": "output", "value": {"hex": "00\#(number + 10)"}"#
                try fixture.ask("relay/request/write", "{\(write), \"transaction\": \(number)}")
            }
            for number in 1...20 {
                #expect(try await fixture.response(to: "relay/request/write")["transaction"]?.int == number)
            }
            let written = try await fixture.events(of: "relay").filter { $0.hasPrefix("write") }
            #expect(written == (11...30).map { "write \(Scenario.output) 00\($0)" })
        }
    }
}

extension MQTT.Message {
    init(_ topic: Topic, text: String, isRetained: Bool = false) {
        self.init(topic, Array(text.utf8), isRetained: isRetained)
    }
}
