import EventLoop
import JSON
import MQTT
import Simulator
import TestTraits
import Testing

/// The requests `device/add`, `device/remove` and `device/rename`.
@Suite(.ownThreads) struct DeviceVerbTests {
    private static let relay = """
        {"device": "porch/relay", "address": "C0:00:00:00:00:05", "connect": "on demand", "hold": "1h",
         "characteristics": {"state": {"service": "\(Scenario.service)", "uuid": "\(Scenario.state)",
           "format": [{"name": "on", "type": "boolean"}]}}}
        """

    private func add(_ entry: String = relay, _ fixture: Fixture) async throws -> JSON {
        try await fixture.request("bridge/attic/request/device/add", entry)
    }

    private func remove(_ device: String, _ fixture: Fixture) async throws -> JSON {
        try await fixture.request("bridge/attic/request/device/remove", #"{"device": "\#(device)"}"#)
    }

    private func rename(_ device: String, _ name: String, _ fixture: Fixture) async throws -> JSON {
        try await fixture.request("bridge/attic/request/device/rename", #"{"device": "\#(device)", "to": "\#(name)"}"#)
    }

    /// Returns the retained topics of a device below the prefix.
    private func topics(of device: String, _ fixture: Fixture) async throws -> [String] {
        try await fixture.retained().keys.filter { $0.hasPrefix("bluefleet/\(device)/") }.sorted()
    }

    @Test func `an added device works at once, and after a restart`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.connection(of: "climate", "connected")
            let response = try await add(Self.relay, fixture)
            #expect(response["status"] == "ok")
            #expect(response["data"] == ["device": "porch/relay"])
            #expect(try await fixture.request("porch/relay/state/get")["data"]?["value"] == false)
            #expect(try await fixture.recorder.next("bluefleet/bridge/attic/info") { $0["devices"] == 2 } != .null)
            try await fixture.stopGateway()
            try await fixture.startGateway()
            #expect(try await fixture.request("porch/relay/state/get")["data"]?["value"] == false)
            #expect(try await fixture.events(of: "climate").count { $0 == "connected" } == 2)
        }
    }

    @Test func `an entry with mistakes is rejected with all of them and their keys`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            let entry = """
                {"device": "porch", "address": "C0:00", "conect": "never",
                 "characteristics": {"temperature": {"qos": 3}}}
                """
            let error = try await add(entry, fixture)["error"]
            #expect(error?["code"] == "bad_request")
            let message = try #require(error?["message"]?.string)
            #expect(message.contains("address: expected an address such as"))
            #expect(message.contains("unknown key 'conect': did you mean 'connect'?"))
            #expect(message.contains("characteristics.temperature.qos: expected a number from 0 to 2, found 3"))
            #expect(try await add("{}", fixture)["error"]?["code"] == "bad_request")
            let misnamed = #"{"device": "a/+/b", "address": "C0:00:00:00:00:09"}"#
            #expect(try await add(misnamed, fixture)["error"]?["code"] == "invalid_value")
            #expect(try await add(#"{"device": "porch"}"#, fixture)["error"]?["code"] == "bad_request")
            #expect(
                try await add(#"{"device": "porch", "connect": "never"}"#, fixture)["error"]?["code"] == "bad_request")
            let profile = #"{"device": "porch", "address": "C0:00:00:00:00:05", "profile": "climate"}"#
            #expect(try await add(profile, fixture)["error"]?["message"]?.string?.contains("profile") == true)
            #expect(try await topics(of: "porch", fixture) == [])
        }
    }

    @Test func `device/add rejects an entry that is too large`() throws {
        try withFixture(.climate("connect: on demand")) { fixture in
            func entry(_ name: String, _ address: Int, _ characteristics: Int, note: Int = 0) -> String {
                let address = "C0:00:00:01:0\(address / 256):" + String(address % 256 + 256, radix: 16).suffix(2)
                let all = (0..<characteristics).map { #""c\#($0)": {"uuid": "2A6E", "instance": \#($0 + 1)}"# }
                return #"{"device": "\#(name)", "address": "\#(address)", "connect": "on demand", "#
                    + #""until": ["\#(String(repeating: "x", count: note))"], "#
                    + #""characteristics": {\#(all.joined(separator: ","))}}"#
            }
            let wide = try await add(entry("wide", 1, 101), fixture)["error"]
            #expect(wide?["code"] == "bad_request")
            #expect(wide?["message"] == "wide: the entry has 101 characteristics: up to 100 are accepted")
            let long = try await add(entry("long", 1, 1, note: 17_000), fixture)["error"]
            #expect(long?["code"] == "bad_request")
            let hasty = try await add(
                #"{"device": "hasty", "address": "C0:00:00:00:00:09", "characteristics": {"c0": {"uuid": "2A6E", "read": "1ms"}}}"#,
                fixture)
            #expect(hasty["error"]?["message"] == "hasty: characteristics.c0.read: expected at least 100ms")
            #expect(long?["message"]?.string?.hasSuffix("bytes: up to 16384 are accepted") == true)
        }
    }

    @Test func `a key file outside the folder keys is not read, and the response does not show whether it exists`()
        throws
    {
        try withFixture(.climate("connect: on demand")) { fixture in
            func message(_ path: String) async throws -> String? {
                let entry =
                    #"{"device": "porch", "address": "C0:00:00:00:00:09", "connect": "never", "key_file": "\#(path)"}"#
                return try await add(entry, fixture)["error"]?["message"]?.string?.replacing(path, with: "PATH")
            }
            let messages = [
                try await message("/dev/ptmx"), try await message("/etc/passwd"), try await message("/etc/missing"),
            ]
            #expect(messages[0]?.contains("key_file: cannot use PATH") == true)
            #expect(Set(messages).count == 1)
        }
    }

    @Test func `a device with a used name or address is not added`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            for entry in [
                #"{"device": "climate", "address": "C0:00:00:00:00:05"}"#,
                #"{"device": "other", "address": "C0:00:00:00:00:01"}"#,
                #"{"device": "bridge/x", "address": "C0:00:00:00:00:05"}"#,
            ] {
                let code = try await add(entry, fixture)["error"]?["code"]?.string
                #expect(["invalid_value", "bad_request"].contains(code ?? ""))
            }
            #expect(try await add(Self.relay, fixture)["status"] == "ok")
            #expect(try await add(Self.relay, fixture)["error"]?["code"] == "invalid_value")
            #expect(try await remove("porch/relay", fixture)["status"] == "ok")
            #expect(try await add(Self.relay, fixture)["status"] == "ok")
        }
    }

    @Test func `a removed device leaves no retained message, and does not come back`() throws {
        let scenario = Scenario.climate("connect: always").with { $0.homeAssistant = "discovery: device" }
        try withFixture(scenario) { fixture in
            try await fixture.connection(of: "climate", "connected")
            _ = try await add(Self.relay, fixture)
            try await fixture.request("porch/relay/state/get")
            #expect(try await fixture.retained()["homeassistant/device/bluefleet_c00000000005/config"] != nil)
            for device in ["porch/relay", "climate"] {
                #expect(try await remove(device, fixture)["status"] == "ok")
            }
            // The responses do not wait for Home Assistant, which removes the entities first.
            for device in ["porch/relay", "climate"] {
                try await fixture.until("the end of the topics of \(device)") {
                    try await topics(of: device, fixture) == []
                }
            }
            let discovered = try await fixture.retained().keys.filter {
                $0.hasPrefix("homeassistant/device/bluefleet_c0")
            }
            #expect(discovered == [])
            for name in ["climate", "relay"] {
                let isConnected = try await fixture.direct { try $0.isConnected(name) }
                #expect(!isConnected)
            }
            try await fixture.stopGateway()
            try await fixture.startGateway()
            #expect(try await remove("climate", fixture)["error"]?["code"] == "unknown_device")
            // A request with the name alone restores a device of the file.
            #expect(try await add(#"{"device": "climate"}"#, fixture)["status"] == "ok")
            try await fixture.availability(of: "climate", "online")
        }
    }

    @Test func `a renamed device has new topics and the same entities`() throws {
        let scenario = Scenario.climate("connect: always").with { $0.homeAssistant = "discovery: device" }
        try withFixture(scenario) { fixture in
            try await fixture.connection(of: "climate", "connected")
            _ = try await add(Self.relay, fixture)
            #expect(try await rename("climate", "garden/climate", fixture)["status"] == "ok")
            #expect(try await rename("porch/relay", "garden/relay", fixture)["status"] == "ok")
            try await fixture.connection(of: "garden/climate", "connected")
            try await fixture.until("the end of the topics of climate") {
                try await topics(of: "climate", fixture) == []
            }
            try await fixture.until("the end of the topics of porch/relay") {
                try await topics(of: "porch/relay", fixture) == []
            }
            let config = try await fixture.retained()["homeassistant/device/bluefleet_c00000000001/config"] ?? ""
            #expect(config.contains("bluefleet/garden/climate/temperature"))
            #expect(try JSON(parsing: config)["device"]?["name"] == "garden/climate")
            try await fixture.stopGateway()
            try await fixture.startGateway()
            try await fixture.connection(of: "garden/climate", "connected")
            #expect(try await fixture.request("garden/relay/state/get")["status"] == "ok")
            #expect(try await rename("garden/climate", "climate", fixture)["status"] == "ok")
            try await fixture.connection(of: "climate", "connected")
        }
    }

    @Test func `a used or invalid name is rejected, and nothing changes`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.connection(of: "climate", "connected")
            _ = try await add(Self.relay, fixture)
            #expect(try await rename("climate", "porch/relay", fixture)["error"]?["code"] == "invalid_value")
            #expect(try await rename("porch/relay", "climate", fixture)["error"]?["code"] == "invalid_value")
            #expect(try await rename("climate", "bridge/x", fixture)["error"]?["code"] == "invalid_value")
            #expect(try await rename("climate", "a/+/b", fixture)["error"]?["code"] == "invalid_value")
            #expect(try await rename("climat", "other", fixture)["error"]?["code"] == "unknown_device")
            let missing = try await fixture.refusal("bridge/attic/request/device/rename", #"{"device": "climate"}"#)
            #expect(missing == "bad_request")
            #expect(try await fixture.events(of: "climate").count { $0 == "disconnected" } == 0)
        }
    }

    @Test func `the file takes precedence over an added device, and the conflict is reported`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            _ = try await add(Self.relay, fixture)
            fixture.file += "\n" + Scenario.relay.indented(by: 2)
            #expect(try await fixture.request("bridge/attic/request/reload")["status"] == "ok")
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "device_conflict"
            }
            #expect(event["device"] == "porch/relay")
            #expect(try await fixture.request("relay/state/get")["status"] == "ok")
            #expect(try await topics(of: "porch/relay", fixture) == [])
            let again = try await add(Self.relay, fixture)["error"]
            #expect(again?["code"] == "invalid_value")
            #expect(again?["message"] == "porch/relay: duplicate address C0:00:00:00:00:05: device 'relay' has it")
            #expect(try await remove("porch/relay", fixture)["status"] == "ok")
            #expect(try await remove("porch/relay", fixture)["error"]?["code"] == "unknown_device")
        }
    }
}
