import EventLoop
import JSON
import Log
import MQTT
import Simulator
import Testing

/// Requests to the gateway about what is in range, and about itself (contract, part 4).
@Suite struct VerbTests {
    @Test func `scan tells what is in range, also of devices that nobody listed`() throws {
        try onStage(.climate("connect: on demand")) { _, stage in
            let response = try await stage.request("bridge/attic/request/scan", #"{"for": "300ms", "transaction": 7}"#)
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
            #expect(!stage.record.messages.contains { "\($0.topic)".hasPrefix("bluefleet/relay") })
        }
    }

    @Test func `scan decodes advertisements, and says what keeps it from doing so`() throws {
        let script = Script(
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
        try onStage(script) { _, stage in
            var devices: [JSON] = []
            try await stage.until("both are heard in one scan") {
                let response = try await stage.request("bridge/attic/request/scan", #"{"for": "300ms"}"#)
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

    @Test func `a scan for a time that makes no sense is refused, and one without Bluetooth too`() throws {
        try onStage(.climate("connect: on demand")) { _, stage in
            for time in [#""soon""#, "10", #""0s""#, #""2h""#] {
                #expect(try await stage.refusal("bridge/attic/request/scan", "{\"for\": \(time)}") == "bad_request")
            }
            await stage.stopSimulation()
            try await stage.record.next("bluefleet/bridge/attic/info") { $0["bluetooth"] != "poweredOn" }
            #expect(try await stage.refusal("bridge/attic/request/scan", #"{"for": "1s"}"#) == "bluetooth_off")
        }
    }

    @Test func `inspect looks through a device that nobody listed, and leaves it alone afterwards`() throws {
        try onStage(.climate("connect: on demand")) { _, stage in
            let response = try await stage.request(
                "bridge/attic/request/inspect", #"{"address": "c0:00:00:00:00:05"}"#)
            #expect(response["status"] == "ok")
            let data = response["data"]
            #expect(data?["address"] == "C0:00:00:00:00:05")
            #expect(data?["name"] == "relay")
            let services = try #require(data?["services"]?.array)
            let service = try #require(services.first { $0["uuid"]?.string == Script.service })
            let secret = try #require(service["characteristics"]?.array?.first { $0["uuid"]?.string == Script.secret })
            #expect(secret["hex"] == "2a")
            #expect(secret["description"] == "Secret")
            #expect(secret["flags"] == ["read", "write"])
            #expect(secret["reading"] == nil)
            try await stage.event("disconnected", of: "relay")
        }
    }

    @Test func `inspect of a configured device uses its link, and decodes what the SIG laid down`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.connection(of: "climate", "connected")
            let response = try await stage.request(
                "bridge/attic/request/inspect", #"{"address": "C0:00:00:00:00:01"}"#)
            let services = try #require(response["data"]?["services"]?.array)
            let sensing = try #require(services.first { $0["uuid"] == "181A" })
            #expect(sensing["name"] == "environmental_sensing")
            let temperature = try #require(sensing["characteristics"]?[0])
            #expect(temperature["name"] == "temperature")
            #expect(temperature["reading"]?.description == #"{"value":21.53,"unit":"°C"}"#)
            #expect(try await stage.events(of: "climate").count { $0 == "connected" } == 1)
            #expect(try await stage.events(of: "climate").count { $0 == "disconnected" } == 0)
        }
    }

    @Test func `inspect of what is no address, or of a device that is not there, is refused`() throws {
        try onStage(.climate("connect: on demand")) { _, stage in
            let missing = try await stage.refusal("bridge/attic/request/inspect", "{}")
            #expect(missing == "bad_request")
            #expect(try await stage.refusal("bridge/attic/request/inspect", #"{"address": "relay"}"#) == "bad_request")
            let absent = #"{"address": "C0:00:00:00:00:99", "ttl": "50ms"}"#
            #expect(try await stage.refusal("bridge/attic/request/inspect", absent) == "expired")
        }
    }

    @Test(arguments: ["inspect", "pair"])
    func `expired: a stranger that does not let itself be connected`(_ verb: String) throws {
        try onStage(.climate("connect: on demand")) { _, stage in
            try await stage.plan(.connectHangs, for: "relay")
            let response = try await stage.request(
                "bridge/attic/request/\(verb)", #"{"address": "C0:00:00:00:00:05", "ttl": "100ms"}"#)
            #expect(response["error"]?["code"] == "expired")
            let message = "C0:00:00:00:00:05: it could not be connected within 100ms"
            #expect(response["error"]?["message"]?.string == message)
            // The attempt has ended: others are connected.
            #expect(try await stage.request("climate/battery/get")["status"] == "ok")
        }
    }

    @Test(arguments: ["inspect", "pair"])
    func `expired: a stranger for which no connection is left`(_ verb: String) throws {
        let script = Script.climate("connect: always").with { $0.configuration += "\nbluetooth: {connections: 1}" }
        try onStage(script) { _, stage in
            try await stage.connection(of: "climate", "connected")
            let relay = #"{"address": "C0:00:00:00:00:05", "ttl": "100ms"}"#
            #expect(try await stage.refusal("bridge/attic/request/\(verb)", relay) == "expired")
            #expect(try await stage.events(of: "relay").isEmpty)
        }
    }

    @Test func `the log's level can be changed and asked for`() throws {
        try onStage(.climate("connect: on demand")) { _, stage in
            let topic = "bridge/attic/request/log_level"
            let level = try await stage.request(topic)["data"]?["level"]?.string
            #expect(level.flatMap(Log.Level.init) != nil)
            // Other stages that open set the same level: it is their process too.
            try await stage.until("the level") {
                let response = try await stage.request(topic, #"{"level": "warning"}"#)
                return response["data"]?["level"] == "warning" && Log.level == .warning
            }
            #expect(try await stage.refusal(topic, #"{"level": "loud"}"#) == "bad_request")
            try await stage.request(topic, #"{"level": "error"}"#)
        }
    }

    @Test func `what the gateway does not know is refused, with what there is`() throws {
        try onStage(.climate("connect: on demand")) { _, stage in
            let response = try await stage.request("bridge/attic/request/dance")
            #expect(response["error"]?["code"] == "unknown_verb")
            #expect(response["error"]?["message"]?.string?.contains("device/add") == true)
        }
    }

    @Test func `a request that is under way when the gateway stops is answered all the same`() throws {
        try onStage(.climate("connect: on demand")) { _, stage in
            try stage.ask("bridge/attic/request/scan", #"{"for": "10m"}"#)
            try await stage.request("climate/request/rssi")
            try await stage.stopGateway()
            let response = try await stage.response(to: "bridge/attic/request/scan")
            #expect(response["error"]?["code"] == "failed")
        }
    }

    @Test func `a request that comes while the gateway stops is answered all the same`() throws {
        let script = Script.climate("connect: always").with {
            $0.fleet.replace("disconnect: 10ms", with: "disconnect: 1s")
        }
        try onStage(script) { _, stage in
            try await stage.connection(of: "climate", "connected")
            let requests = [
                "bridge/attic/request/scan", "bridge/attic/request/device/remove", "climate/request/rssi",
                "climate/temperature/get",
            ]
            for request in requests { try stage.ask(request, #"{"device": "climate"}"#) }
            try await stage.stopGateway()
            for request in requests {
                #expect(try await stage.response(to: request)["error"]?["code"] == "failed", "\(request)")
            }
        }
    }
}
