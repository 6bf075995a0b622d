import EventLoop
import JSON
import Log
import MQTT
import Simulator
import TestTraits
import Testing

/// The requests `scan`, `inspect` and `log_level`.
@Suite(.ownThreads) struct VerbTests {
    @Test func `scan returns the devices in range, also those that are not configured`() throws {
        try withFixture(.climate("connect: on demand")) { fixture in
            let response = try await fixture.request(
                "bridge/attic/request/scan", #"{"for": "300ms", "transaction": 7}"#)
            #expect(response["status"] == "ok")
            #expect(response["transaction"] == 7)
            let devices = try #require(response["data"]?["devices"]?.array)
            #expect(devices.count == 2)
            let climate = try #require(devices.first { $0["address"] == "C0:00:00:00:00:01" })
            #expect(climate["kind"] == "random")
            #expect(climate["name"] == "climate")
            #expect(climate["rssi"] == -61)
            #expect(climate["device"] == "climate")
            let relay = try #require(devices.first { $0["address"] == "C0:00:00:00:00:05" })
            #expect(relay["device"] == nil)
            #expect(!fixture.recorder.messages.contains { "\($0.topic)".hasPrefix("bluefleet/relay") })
        }
    }

    @Test func `scan decodes advertisements, or gives the reason why it cannot`() throws {
        let scenario = Scenario(
            fleet: """
                peripherals:
                  meter:
                    address: D0:00:00:00:00:01
                    nameless: true
                    advertise: {every: 5ms, services: [FCD2], service_data: {FCD2: 4002ca0903bf13}}
                  secret:
                    address: D0:00:00:00:00:02
                    advertise: {every: 5ms, service_data: {FCD2: 41a47266c95f730011223378237214}}
                """, "devices: {}")
        try withFixture(scenario) { fixture in
            var devices: [JSON] = []
            try await fixture.until("both are heard in one scan") {
                let response = try await fixture.request("bridge/attic/request/scan", #"{"for": "300ms"}"#)
                devices = try #require(response["data"]?["devices"]?.array)
                return devices.count == 2
            }
            let meter = try #require(devices.first { $0["address"] == "D0:00:00:00:00:01" })
            #expect(meter["name"] == .null)
            #expect(meter["services"] == ["FCD2"])
            #expect(meter["advertisement"]?["bthome"]?["temperature"]?.double == 25.06)
            let secret = try #require(devices.first { $0["address"] == "D0:00:00:00:00:02" })
            #expect(secret["advertisement"] == .object([:]))
            #expect(secret["reason"]?.string?.contains("encrypted") == true)
        }
    }

    @Test func `a scan with an invalid duration, or without Bluetooth, is rejected`() throws {
        try withFixture(.climate("connect: on demand")) { fixture in
            for time in [#""soon""#, "-10", #""0s""#, #""2h""#] {
                #expect(try await fixture.refusal("bridge/attic/request/scan", "{\"for\": \(time)}") == "bad_request")
            }
            await fixture.stopSimulation()
            try await fixture.recorder.next("bluefleet/bridge/attic/info") { $0["bluetooth"] != "poweredOn" }
            #expect(try await fixture.refusal("bridge/attic/request/scan", #"{"for": "1s"}"#) == "bluetooth_off")
        }
    }

    @Test func `inspect connects to a device that is not configured, and disconnects it afterwards`() throws {
        try withFixture(.climate("connect: on demand")) { fixture in
            let response = try await fixture.request(
                "bridge/attic/request/inspect", #"{"address": "c0:00:00:00:00:05"}"#)
            #expect(response["status"] == "ok")
            let data = response["data"]
            #expect(data?["address"] == "C0:00:00:00:00:05")
            #expect(data?["name"] == "relay")
            let services = try #require(data?["services"]?.array)
            let service = try #require(services.first { $0["uuid"]?.string == Scenario.service })
            let secret = try #require(
                service["characteristics"]?.array?.first { $0["uuid"]?.string == Scenario.secret })
            #expect(secret["hex"] == "2a")
            #expect(secret["description"] == "Secret")
            #expect(secret["flags"] == ["read", "write"])
            #expect(secret["reading"] == nil)
            try await fixture.event("disconnected", of: "relay")
        }
    }

    @Test func `inspect of a configured device uses its connection, and decodes SIG characteristics`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.connection(of: "climate", "connected")
            let response = try await fixture.request(
                "bridge/attic/request/inspect", #"{"device": "climate"}"#)
            let services = try #require(response["data"]?["services"]?.array)
            let sensing = try #require(services.first { $0["uuid"] == "181A" })
            #expect(sensing["name"] == "environmental_sensing")
            let temperature = try #require(sensing["characteristics"]?[0])
            #expect(temperature["name"] == "temperature")
            #expect(temperature["reading"]?.description == #"{"value":21.53,"unit":"°C"}"#)
            #expect(try await fixture.events(of: "climate").count { $0 == "connected" } == 1)
            #expect(try await fixture.events(of: "climate").count { $0 == "disconnected" } == 0)
        }
    }

    @Test func `inspect of an invalid address, or of a device out of range, is rejected`() throws {
        try withFixture(.climate("connect: on demand")) { fixture in
            let missing = try await fixture.refusal("bridge/attic/request/inspect", "{}")
            #expect(missing == "bad_request")
            #expect(
                try await fixture.refusal("bridge/attic/request/inspect", #"{"address": "relay"}"#) == "bad_request")
            let absent = #"{"address": "C0:00:00:00:00:99", "ttl": "50ms"}"#
            #expect(try await fixture.refusal("bridge/attic/request/inspect", absent) == "expired")
        }
    }

    @Test(arguments: ["inspect", "pair"])
    func `a request about an unmanaged peripheral that rejects connections expires`(_ verb: String) throws {
        try withFixture(.climate("connect: on demand")) { fixture in
            try await fixture.plan(.connectHangs, for: "relay")
            let response = try await fixture.request(
                "bridge/attic/request/\(verb)", #"{"address": "C0:00:00:00:00:05", "ttl": "100ms"}"#)
            #expect(response["error"]?["code"] == "expired")
            let message = "C0:00:00:00:00:05: no connection within 100ms"
            #expect(response["error"]?["message"]?.string == message)
            // The attempt has ended, so other devices can be connected.
            #expect(try await fixture.request("climate/battery/get")["status"] == "ok")
        }
    }

    @Test(arguments: ["inspect", "pair"])
    func `a request about an unmanaged peripheral expires if no connection is free`(_ verb: String) throws {
        let scenario = Scenario.climate("connect: always").with { $0.configuration += "\nbluetooth: {connections: 1}" }
        try withFixture(scenario) { fixture in
            try await fixture.connection(of: "climate", "connected")
            let relay = #"{"address": "C0:00:00:00:00:05", "ttl": "100ms"}"#
            #expect(try await fixture.refusal("bridge/attic/request/\(verb)", relay) == "expired")
            #expect(try await fixture.events(of: "relay").isEmpty)
        }
    }

    @Test func `log_level changes and returns the level`() throws {
        try withFixture(.climate("connect: on demand")) { fixture in
            let topic = "bridge/attic/request/log_level"
            let level = try await fixture.request(topic)["data"]?["level"]?.string
            #expect(level.flatMap(Log.Level.init) != nil)
            // Other stages that open set the same level: it is their process too.
            try await fixture.until("the level") {
                let response = try await fixture.request(topic, #"{"level": "warning"}"#)
                return response["data"]?["level"] == "warning" && Log.level == .warning
            }
            #expect(try await fixture.refusal(topic, #"{"level": "loud"}"#) == "bad_request")
            try await fixture.request(topic, #"{"level": "error"}"#)
        }
    }

    @Test func `an unknown verb is rejected with the list of verbs`() throws {
        try withFixture(.climate("connect: on demand")) { fixture in
            let response = try await fixture.request("bridge/attic/request/dance")
            #expect(response["error"]?["code"] == "unknown_verb")
            #expect(response["error"]?["message"]?.string?.contains("device/add") == true)
        }
    }

    @Test func `a request that is under way when the gateway stops gets a response`() throws {
        try withFixture(.climate("connect: on demand")) { fixture in
            try fixture.ask("bridge/attic/request/scan", #"{"for": "10m"}"#)
            try await fixture.request("climate/request/rssi")
            try await fixture.stopGateway()
            let response = try await fixture.response(to: "bridge/attic/request/scan")
            #expect(response["error"]?["code"] == "failed")
        }
    }

    @Test func `a request that arrives while the gateway stops gets a response`() throws {
        let scenario = Scenario.climate("connect: always").with {
            $0.fleet.replace("disconnect: 10ms", with: "disconnect: 1s")
        }
        try withFixture(scenario) { fixture in
            try await fixture.connection(of: "climate", "connected")
            let requests = [
                "bridge/attic/request/scan", "bridge/attic/request/device/remove", "climate/request/rssi",
                "climate/temperature/get",
            ]
            for request in requests {
                try fixture.ask(request, request.hasSuffix("remove") ? #"{"device": "climate"}"# : "{}")
            }
            try await fixture.stopGateway()
            for request in requests {
                #expect(try await fixture.response(to: request)["error"]?["code"] == "failed", "\(request)")
            }
        }
    }
}
