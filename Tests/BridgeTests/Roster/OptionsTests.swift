import EventLoop
import JSON
import MQTT
import TestTraits
import Testing

/// The topic `devices` and the requests `device/options` and `backup`.
@Suite(.ownThreads) struct OptionsTests {
    @Test func `options replace the settings of a device, and null restores them`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.recorder.next("bluefleet/climate/connection") { $0["state"] == "connected" }
            func set(_ options: String) async throws -> JSON {
                try await fixture.request(
                    "bridge/attic/request/device/options", #"{"device": "climate", "options": \#(options)}"#)
            }
            let response = try await set(#"{"connect": "on demand", "hold": "1s"}"#)
            #expect(response["data"] == ["device": "climate", "options": ["connect": "on demand", "hold": "1s"]])
            try await fixture.recorder.next("bluefleet/climate/availability") { $0["state"] == "asleep" }
            try await fixture.recorder.next("bluefleet/bridge/attic/devices") {
                var entry = $0["devices"]?.array?.first?.object
                guard entry?["availability"]?["state"] == "asleep", entry?["availability"]?["since"]?.string != nil
                else { return false }
                entry?["availability"] = nil
                let expected: JSON.Object = [
                    "name": "climate", "address": "C0:00:00:00:00:01", "source": "configuration",
                    "connect": "on demand", "options": ["connect": "on demand", "hold": "1s"],
                ]
                return entry == expected
            }
            try await fixture.recorder.next("bluefleet/climate/info") { $0["gateway"] == "attic" }
            let restored = try await set(#"{"connect": null}"#)
            #expect(restored["data"]?["options"] == ["hold": "1s"], "\(restored)")
            try await fixture.recorder.next("bluefleet/climate/connection") { $0["state"] == "connected" }
        }
    }

    @Test func `a new title changes the discovery and keeps the connection`() throws {
        let scenario = Scenario.climate("connect: always").with { $0.homeAssistant = "discovery: device" }
        try withFixture(scenario) { fixture in
            try await fixture.connection(of: "climate", "connected")
            let topic = "homeassistant/device/bluefleet_c00000000001/config"
            for (title, expected) in [("\"Garden\"", "Garden"), ("null", "climate")] {
                let response = try await fixture.request(
                    "bridge/attic/request/device/options", #"{"device": "climate", "options": {"title": \#(title)}}"#)
                #expect(response["status"] == "ok")
                try await fixture.recorder.next(topic) { $0["device"]?["name"]?.string == expected }
            }
            #expect(try await fixture.events(of: "climate").count { $0 == "connected" } == 1)
        }
    }

    @Test func `options of a characteristic change one by one, and a title keeps the connection`() throws {
        let scenario = Scenario.climate("connect: always").with { $0.homeAssistant = "discovery: device" }
        try withFixture(scenario) { fixture in
            try await fixture.connection(of: "climate", "connected")
            func set(_ characteristics: String) async throws -> JSON {
                try await fixture.request(
                    "bridge/attic/request/device/options",
                    #"{"device": "climate", "options": {"characteristics": \#(characteristics)}}"#)
            }
            let topic = "homeassistant/device/bluefleet_c00000000001/config"
            _ = try await set(#"{"temperature": {"title": "Air"}}"#)
            try await fixture.recorder.next(topic) { $0["components"]?["181a_2a6e"]?["name"] == "Air" }
            let second = try await set(#"{"humidity": {"title": "Damp"}, "temperature": {"icon": "mdi:sun"}}"#)
            #expect(
                second["data"]?["options"]?["characteristics"]
                    == ["temperature": ["title": "Air", "icon": "mdi:sun"], "humidity": ["title": "Damp"]])
            let third = try await set(#"{"humidity": null, "temperature": {"title": null}}"#)
            #expect(third["data"]?["options"]?["characteristics"] == ["temperature": ["icon": "mdi:sun"]])
            let connections = try await fixture.events(of: "climate").count { $0 == "connected" }
            #expect(connections == 1)
        }
    }

    @Test func `a device that is being changed keeps its entities when Home Assistant starts`() throws {
        let scenario = Scenario.climate("connect: always").with {
            $0.homeAssistant = "discovery: device"
            // Home Assistant's start is handled after up to 1 s, in which the device is disconnected.
            $0.fleet.replace("disconnect: 10ms", with: "disconnect: 3s")
        }
        try withFixture(scenario) { fixture in
            try await fixture.connection(of: "climate", "connected")
            let topic = "homeassistant/device/bluefleet_c00000000001/config"
            try await fixture.recorder.next(topic) { $0["components"]?["181a_2a6e"] != nil }
            fixture.publish(Message("homeassistant/status", Array("online".utf8)))
            _ = try await fixture.request(
                "bridge/attic/request/device/options", #"{"device": "climate", "options": {"hold": "8s"}}"#)
            try await fixture.recorder.next(topic) {
                // The notice of a removal has only the platform of each entity.
                #expect($0["components"]?["181a_2a6e"]?["state_topic"] != nil)
                return true
            }
        }
    }

    @Test func `options of a characteristic change how it is published`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.connection(of: "climate", "connected")
            let options =
                #"{"characteristics": {"temperature": {"read": "on connect", "publish": {"payload": "value"}}}}"#
            let response = try await fixture.request(
                "bridge/attic/request/device/options", #"{"device": "climate", "options": \#(options)}"#)
            #expect(response["status"] == "ok", "\(response)")
            let message = try await fixture.recorder.message("bluefleet/climate/temperature") { $0.text == "21.53" }
            #expect(message.text == "21.53")
        }
    }

    @Test func `a removed device of the configuration comes back with its options`() throws {
        try withFixture(.climate("connect: on demand")) { fixture in
            _ = try await fixture.request(
                "bridge/attic/request/device/options", #"{"device": "climate", "options": {"hold": "7s"}}"#)
            _ = try await fixture.request("bridge/attic/request/device/remove", #"{"device": "climate"}"#)
            _ = try await fixture.request("bridge/attic/request/device/add", #"{"device": "climate"}"#)
            let response = try await fixture.request("bridge/attic/request/device/options", #"{"device": "climate"}"#)
            #expect(response["data"]?["options"] == ["hold": "7s"])
        }
    }

    @Test func `an added device that is removed and added again keeps its options, if they fit`() throws {
        try withFixture(.climate("connect: on demand")) { fixture in
            let add = #"{"device":"lamp","address":"C0:00:00:00:00:09","connect":"on demand"}"#
            func options() async throws -> JSON? {
                try await fixture.request("bridge/attic/request/device/options", #"{"device": "lamp"}"#)["data"]?[
                    "options"]
            }
            _ = try await fixture.request("bridge/attic/request/device/add", add)
            _ = try await fixture.request(
                "bridge/attic/request/device/options", #"{"device": "lamp", "options": {"hold": "7s"}}"#)
            _ = try await fixture.request("bridge/attic/request/device/remove", #"{"device": "lamp"}"#)
            _ = try await fixture.request("bridge/attic/request/device/add", add)
            #expect(try await options() == ["hold": "7s"])
            _ = try await fixture.request("bridge/attic/request/device/remove", #"{"device": "lamp"}"#)
            let other = #"{"device":"lamp","address":"C0:00:00:00:00:09","connect":"never"}"#
            #expect(try await fixture.request("bridge/attic/request/device/add", other)["status"] == "ok")
        }
    }

    @Test func `one request changes all devices whose names match, or none of them`() throws {
        let scenario = Scenario.house(
            "cellar/climate: {address: C0:00:00:00:00:01, connect: on demand}\ncellar/relay: {address: C0:00:00:00:00:05, "
                + "connect: on demand}\nattic: {address: C0:00:00:00:00:06, connect: never}")
        try withFixture(scenario) { fixture in
            func set(_ devices: String, _ options: String) async throws -> JSON {
                try await fixture.request(
                    "bridge/attic/request/device/options", #"{"devices": \#(devices), "options": \#(options)}"#)
            }
            let response = try await set(#"["cellar/*"]"#, #"{"hold": "3s"}"#)
            #expect(
                response["data"]?["devices"] == [
                    ["device": "cellar/climate", "options": ["hold": "3s"]],
                    ["device": "cellar/relay", "options": ["hold": "3s"]],
                ])
            let unknown = try await set(#"["cellar/*", "garden/?"]"#, #"{"hold": "4s"}"#)
            #expect(unknown["error"]?["message"] == "devices: no device matches 'garden/?'")
            // The second device has no characteristic of this name.
            let wrong = try await set(#"["*"]"#, #"{"until": ["x"]}"#)
            #expect(wrong["error"]?["code"] == "bad_request")
            let both = try await fixture.request(
                "bridge/attic/request/device/options", #"{"devices": ["*"], "device": "attic"}"#)
            #expect(both["error"]?["message"]?.string?.contains("either device or devices") == true)
            let list = try await set(#"["*"]"#, "{}")
            let options = list["data"]?["devices"]?.array?.map { $0["options"] }
            #expect(options == [.object([:]), ["hold": "3s"], ["hold": "3s"]])
        }
    }

    @Test func `options without effect are answered with warnings`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            func set(_ options: String) async throws -> JSON {
                try await fixture.request(
                    "bridge/attic/request/device/options", #"{"device": "climate", "options": \#(options)}"#)
            }
            let response = try await set(#"{"hold": "5s", "expect": "1h"}"#)
            #expect(response["status"] == "ok")
            let warnings = response["data"]?["warnings"]?.array?.compactMap(\.string) ?? []
            #expect(warnings.count == 1 && warnings[0].hasPrefix("hold has no effect here: "), "\(warnings)")
            #expect(try await set(#"{"hold": null}"#)["data"]?["warnings"] == nil)
        }
    }

    @Test func `options survive a restart of the gateway`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.recorder.next("bluefleet/climate/connection") { $0["state"] == "connected" }
            _ = try await fixture.request(
                "bridge/attic/request/device/options", #"{"device": "climate", "options": {"connect": "on demand"}}"#)
            try await fixture.stopGateway()
            try await fixture.startGateway()
            try await fixture.recorder.next("bluefleet/climate/availability") { $0["state"] == "asleep" }
        }
    }

    @Test(
        arguments: [
            (#"{"conect": "always"}"#, "unknown key 'conect': did you mean 'connect'?"),
            (#"{"connect": "sometimes"}"#, "connect: "),
            (#"{"address": "C0:00:00:00:00:09"}"#, "unknown key 'address'"),
            (#"{"until": ["nothing"]}"#, "until.0: unknown characteristic"),
            (#"["connect"]"#, "options: expected an object"),
            (#"{"connect": "every 1ms"}"#, "connect: expected at least every 1s"),
            (#"{"quiet": "1ms"}"#, "quiet: expected at least 1s"),
            (#"{"characteristics": {"temprature": {"title": "x"}}}"#, "unknown characteristic 'temprature'"),
            (#"{"characteristics": {"temperature": {"write": true}}}"#, "only the configuration file allows writing"),
            (#"{"characteristics": {"temperature": 1}}"#, "characteristics.temperature: "),
            (#"{"characteristics": {"temperature": {"read": "1ms"}}}"#, "temperature.read: expected at least 100ms"),
        ])
    func `invalid options are rejected, and nothing changes`(options: String, reason: String) throws {
        try withFixture(.climate("connect: on demand")) { fixture in
            let response = try await fixture.request(
                "bridge/attic/request/device/options", #"{"device": "climate", "options": \#(options)}"#)
            #expect(response["error"]?["code"] == "bad_request")
            #expect(response["error"]?["message"]?.string?.contains(reason) == true, "\(response)")
            let current = try await fixture.request(
                "bridge/attic/request/device/options", #"{"device": "climate"}"#)
            #expect(current["data"]?["options"] == .object([:]))
        }
    }

    @Test func `the list of devices names removed devices, and the origin of added ones`() throws {
        try withFixture(.climate("connect: on demand")) { fixture in
            _ = try await fixture.request(
                "bridge/attic/request/device/add", #"{"device": "relay", "address": "C0:00:00:00:00:05"}"#)
            _ = try await fixture.request("bridge/attic/request/device/remove", #"{"device": "climate"}"#)
            try await fixture.recorder.next("bluefleet/bridge/attic/devices") {
                $0["removed"] == ["climate"] && $0["devices"]?.array?.map { $0["source"] } == ["added"]
            }
        }
    }

    @Test func `a backup contains the configuration and the state, without waiting messages`() throws {
        try withFixture(.climate("connect: on demand")) { fixture in
            _ = try await fixture.request(
                "bridge/attic/request/device/options", #"{"device": "climate", "options": {"connect": "never"}}"#)
            _ = try await fixture.request(
                "bridge/attic/request/device/options", #"{"device": "climate", "options": {"hold": "7s"}}"#)
            let data = try #require(try await fixture.request("bridge/attic/request/backup", "")["data"])
            #expect(data["gateway"] == "attic")
            #expect(data["files"]?["bluefleet.yaml"]?.string?.contains("climate") == true)
            #expect(data["state"]?["devices.json"]?["options"]?["C0:00:00:00:00:01"] == ["hold": "7s"])
            #expect(data["state"]?["waiting.json"] == nil)
        }
    }
}
