import EventLoop
import JSON
import MQTT
import Simulator
import Testing

/// Devices that come, go and change their names while the gateway runs.
@Suite struct DeviceVerbTests {
    private static let relay = """
        {"device": "porch/relay", "address": "C0:00:00:00:00:05", "connect": "on demand", "hold": "1h",
         "characteristics": {"state": {"service": "\(Script.service)", "uuid": "\(Script.state)",
           "format": [{"name": "on", "type": "boolean"}]}}}
        """

    private func add(_ entry: String = relay, _ stage: Stage) async throws -> JSON {
        try await stage.request("bridge/attic/request/device/add", entry)
    }

    private func remove(_ device: String, _ stage: Stage) async throws -> JSON {
        try await stage.request("bridge/attic/request/device/remove", #"{"device": "\#(device)"}"#)
    }

    private func rename(_ device: String, _ name: String, _ stage: Stage) async throws -> JSON {
        try await stage.request("bridge/attic/request/device/rename", #"{"device": "\#(device)", "to": "\#(name)"}"#)
    }

    /// The topics below the prefix that the broker keeps of a device.
    private func topics(of device: String, _ stage: Stage) async throws -> [String] {
        try await stage.retained().keys.filter { $0.hasPrefix("bluefleet/\(device)/") }.sorted()
    }

    @Test func `a device that is added works at once, and after a restart`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.connection(of: "climate", "connected")
            let response = try await add(Self.relay, stage)
            #expect(response["status"] == "ok")
            #expect(response["data"] == ["device": "porch/relay"])
            #expect(try await stage.request("porch/relay/state/get")["data"]?["value"] == false)
            #expect(try await stage.record.next("bluefleet/bridge/attic/info") { $0["devices"] == 2 } != .null)
            try await stage.stopGateway()
            try await stage.startGateway()
            #expect(try await stage.request("porch/relay/state/get")["data"]?["value"] == false)
            #expect(try await stage.events(of: "climate").count { $0 == "connected" } == 2)
        }
    }

    @Test func `an entry with mistakes is refused with all of them and their keys`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            let entry = """
                {"device": "porch", "address": "C0:00", "conect": "never",
                 "characteristics": {"temperature": {"qos": 3}}}
                """
            let error = try await add(entry, stage)["error"]
            #expect(error?["code"] == "bad_request")
            let message = try #require(error?["message"]?.string)
            #expect(message.contains("address: expected an address such as"))
            #expect(message.contains("unknown key 'conect': did you mean 'connect'?"))
            #expect(message.contains("characteristics.temperature.qos: expected a number from 0 to 2, found 3"))
            #expect(try await add("{}", stage)["error"]?["code"] == "bad_request")
            #expect(try await add(#"{"device": "porch"}"#, stage)["error"]?["code"] == "bad_request")
            #expect(
                try await add(#"{"device": "porch", "connect": "never"}"#, stage)["error"]?["code"] == "bad_request")
            let profile = #"{"device": "porch", "address": "C0:00:00:00:00:05", "profile": "climate"}"#
            #expect(try await add(profile, stage)["error"]?["message"]?.string?.contains("profile") == true)
            #expect(try await topics(of: "porch", stage) == [])
        }
    }

    @Test func `what is there already, by name or by address, is not added again`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            for entry in [
                #"{"device": "climate", "address": "C0:00:00:00:00:05"}"#,
                #"{"device": "other", "address": "C0:00:00:00:00:01"}"#,
                #"{"device": "bridge/x", "address": "C0:00:00:00:00:05"}"#,
            ] {
                let code = try await add(entry, stage)["error"]?["code"]?.string
                #expect(["invalid_value", "bad_request"].contains(code ?? ""))
            }
            #expect(try await add(Self.relay, stage)["status"] == "ok")
            #expect(try await add(Self.relay, stage)["error"]?["code"] == "invalid_value")
            #expect(try await remove("porch/relay", stage)["status"] == "ok")
            #expect(try await add(Self.relay, stage)["status"] == "ok")
        }
    }

    @Test func `a device that is removed leaves nothing behind, and does not come back`() throws {
        let script = Script.climate("connect: always").with { $0.homeAssistant = "discovery: device" }
        try onStage(script) { _, stage in
            try await stage.connection(of: "climate", "connected")
            _ = try await add(Self.relay, stage)
            try await stage.request("porch/relay/state/get")
            #expect(try await stage.retained()["homeassistant/device/bluefleet_c00000000005/config"] != nil)
            for device in ["porch/relay", "climate"] {
                #expect(try await remove(device, stage)["status"] == "ok")
                #expect(try await topics(of: device, stage) == [])
            }
            let discovered = try await stage.retained().keys.filter {
                $0.hasPrefix("homeassistant/device/bluefleet_c0")
            }
            #expect(discovered == [])
            for name in ["climate", "relay"] {
                let isConnected = try await stage.direct { try $0.isConnected(name) }
                #expect(!isConnected)
            }
            try await stage.stopGateway()
            try await stage.startGateway()
            #expect(try await remove("climate", stage)["error"]?["code"] == "unknown_device")
            // What the file lists comes back by its name.
            #expect(try await add(#"{"device": "climate"}"#, stage)["status"] == "ok")
            try await stage.availability(of: "climate", "online")
        }
    }

    @Test func `a device that is renamed moves its topics and keeps its entities`() throws {
        let script = Script.climate("connect: always").with { $0.homeAssistant = "discovery: device" }
        try onStage(script) { _, stage in
            try await stage.connection(of: "climate", "connected")
            _ = try await add(Self.relay, stage)
            #expect(try await rename("climate", "garden/climate", stage)["status"] == "ok")
            #expect(try await rename("porch/relay", "garden/relay", stage)["status"] == "ok")
            try await stage.connection(of: "garden/climate", "connected")
            #expect(try await topics(of: "climate", stage) == [])
            #expect(try await topics(of: "porch/relay", stage) == [])
            let config = try await stage.retained()["homeassistant/device/bluefleet_c00000000001/config"] ?? ""
            #expect(config.contains("bluefleet/garden/climate/temperature"))
            #expect(try JSON(parsing: config)["device"]?["name"] == "garden/climate")
            try await stage.stopGateway()
            try await stage.startGateway()
            try await stage.connection(of: "garden/climate", "connected")
            #expect(try await stage.request("garden/relay/state/get")["status"] == "ok")
            #expect(try await rename("garden/climate", "climate", stage)["status"] == "ok")
            try await stage.connection(of: "climate", "connected")
        }
    }

    @Test func `a name that is taken or cannot be is refused, and nothing changes`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.connection(of: "climate", "connected")
            _ = try await add(Self.relay, stage)
            #expect(try await rename("climate", "porch/relay", stage)["error"]?["code"] == "invalid_value")
            #expect(try await rename("porch/relay", "climate", stage)["error"]?["code"] == "invalid_value")
            #expect(try await rename("climate", "bridge/x", stage)["error"]?["code"] == "invalid_value")
            #expect(try await rename("climate", "a/+/b", stage)["error"]?["code"] == "invalid_value")
            #expect(try await rename("climat", "other", stage)["error"]?["code"] == "unknown_device")
            let missing = try await stage.refusal("bridge/attic/request/device/rename", #"{"device": "climate"}"#)
            #expect(missing == "bad_request")
            #expect(try await stage.events(of: "climate").count { $0 == "disconnected" } == 0)
        }
    }

    @Test func `where the file lists a device by now, the file counts, and that is told`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            _ = try await add(Self.relay, stage)
            stage.file += "\n" + Script.relay.indented(by: 2)
            #expect(try await stage.request("bridge/attic/request/reload")["status"] == "ok")
            let event = try await stage.record.next("bluefleet/bridge/attic/event") { $0["type"] == "device_conflict" }
            #expect(event["device"] == "porch/relay")
            #expect(try await stage.request("relay/state/get")["status"] == "ok")
            #expect(try await topics(of: "porch/relay", stage) == [])
            let again = try await add(Self.relay, stage)["error"]
            #expect(again?["code"] == "invalid_value")
            #expect(again?["message"] == "porch/relay: C0:00:00:00:00:05 is the address of 'relay' already")
            #expect(try await remove("porch/relay", stage)["status"] == "ok")
            #expect(try await remove("porch/relay", stage)["error"]?["code"] == "unknown_device")
        }
    }
}
