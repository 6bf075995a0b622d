import EventLoop
import Foundation
import JSON
import MQTT
import Simulator
import System
import TestTraits
import Testing

/// Devices that are never connected: readings from their advertisements.
@Suite(.ownThreads) struct AdvertisingTests {
    /// A sensor that sends these advertisements, one after the other.
    private func scenario(_ packets: String..., keys: String = "", every: String = "5ms") -> Scenario {
        Scenario(
            fleet: """
                peripherals:
                  sensor:
                    address: 54:48:E6:8F:80:A5
                    kind: public
                    advertise:
                      every: \(every)
                      connectable: false
                      rssi: -64
                      service_data: {FCD2: [\(packets.joined(separator: ", "))]}
                """,
            """
            devices:
              sensor: {address: "54:48:E6:8F:80:A5", connect: never\(keys)}
            """)
    }

    /// Returns BTHome packets with consecutive numbers and the objects that `objects` returns for each number.
    private static func packets(_ objects: (Int) -> String) -> String {
        (10..<60).map { number in "4000\(number)\(objects(number))" }.joined(separator: ", ")
    }

    private static let encrypted = "41a47266c95f730011223378237214"
    private static let key = "231d39c1d7cc1ab1aee224cd096db932"

    @Test func `each quantity has a topic, and one advertisement has one time`() throws {
        try withFixture(scenario("4002ca0903bf13")) { fixture in
            let temperature = try await fixture.recorder.next("bluefleet/sensor/temperature")
            #expect(temperature.withoutTime == #"{"value":25.06,"unit":"°C"}"#)
            let humidity = try await fixture.recorder.next("bluefleet/sensor/humidity")
            #expect(humidity.withoutTime == #"{"value":50.55,"unit":"%"}"#)
            #expect(temperature["time"] == humidity["time"])
            #expect(try await fixture.retained()["bluefleet/sensor/temperature"] != nil)
            let info = try await fixture.recorder.next("bluefleet/sensor/info") {
                $0["advertisement"]?["fields"]?.array?.isEmpty == false
            }
            #expect(
                info["advertisement"]?["fields"]?[0]
                    == ["name": "temperature", "format": "bthome", "unit": "°C"])
            let connection = try await fixture.recorder.next("bluefleet/sensor/connection") { $0["rssi"] != nil }
            #expect(connection.withoutTime == #"{"state":"disconnected","adapter":"hci0","rssi":-64}"#)
            try await fixture.availability(of: "sensor", "online")
            #expect(try await fixture.events(of: "sensor") == [])
        }
    }

    @Test func `a repeated advertisement is not a new reading`() throws {
        try withFixture(scenario("4002ca09")) { fixture in
            try await fixture.recorder.next("bluefleet/sensor/temperature")
            // The advertisement has been repeated many times by then.
            try await fixture.request("bridge/attic/request/scan", #"{"for": "200ms"}"#)
            #expect(fixture.recorder.all("bluefleet/sensor/temperature").count == 1)
        }
    }

    @Test func `publish rules apply to advertised quantities`() throws {
        let rules = ", publish: {deadband: 1, payload: value}"
        try withFixture(scenario("4002d007", "40023408", "40029808", "4002fc08", keys: rules)) { fixture in
            let first = try await fixture.recorder.message("bluefleet/sensor/temperature").text
            let second = try await fixture.recorder.message("bluefleet/sensor/temperature").text
            let values = try [first, second].map { try #require($0.flatMap { Double($0) }) }
            #expect(abs(values[0] - values[1]) >= 1)
            #expect(Set(values).isSubset(of: [20, 21, 22, 23]))
        }
    }

    @Test func `a quantity has its own unit, publish rules and retain flag, and one that is left out has no topic`()
        throws
    {
        let keys = """
            , derive: {dew: {value: "dew_point(temperature, humidity)"}}, \
            quantities: {temperature: {unit: °F, retain: false, publish: {payload: value}}, humidity: none}
            """
        let scenario = scenario("4002ca0903bf13", keys: keys).with { $0.homeAssistant = "discovery: device" }
        try withFixture(scenario) { fixture in
            #expect(try await fixture.recorder.message("bluefleet/sensor/temperature").text == "77.11")
            // Formulas use the values as they are decoded.
            let dew = try await fixture.recorder.next("bluefleet/sensor/dew")["value"]?.double ?? 0
            #expect(14..<14.3 ~= dew)
            let retained = try await fixture.retained()
            #expect(retained["bluefleet/sensor/temperature"] == nil && retained["bluefleet/sensor/dew"] != nil)
            #expect(fixture.recorder.all("bluefleet/sensor/humidity").isEmpty)
            let info = try await fixture.recorder.next("bluefleet/sensor/info") {
                $0["advertisement"]?["fields"]?.array?.isEmpty == false
            }
            #expect(
                info["advertisement"]?["fields"] == [["name": "temperature", "format": "bthome", "unit": "°F"]])
            let discovery = try await fixture.recorder.next(
                "homeassistant/device/bluefleet_5448e68f80a5/config"
            ) { $0["components"]?["advertised_temperature"] != nil }
            let entity = discovery["components"]?["advertised_temperature"]
            #expect(entity?["unit_of_measurement"] == "°F" && entity?["device_class"] == "temperature")
            #expect(entity?["suggested_display_precision"] == 1)
            #expect(discovery["components"]?["advertised_humidity"] == nil)
        }
    }

    @Test func `unchanged quantities of changed packets are not published again`() throws {
        // The packet identifier and the humidity change, and the temperature does not.
        try withFixture(scenario("400001" + "02ca09" + "03bf13", "400002" + "02ca09" + "03c013")) { fixture in
            try await fixture.recorder.next("bluefleet/sensor/humidity")
            try await fixture.request("bridge/attic/request/scan", #"{"for": "200ms"}"#)
            #expect(fixture.recorder.all("bluefleet/sensor/temperature").count == 1)
            // The second value follows after 5 s.
            #expect(fixture.recorder.all("bluefleet/sensor/humidity").count == 1)
        }
    }

    @Test func `by default, changed states are published at once`() throws {
        // A window opens and closes.
        let packets = Self.packets { $0.isMultiple(of: 2) ? "2d01" : "2d00" }
        try withFixture(scenario(packets, every: "50ms")) { fixture in
            let values = [
                try await fixture.reading("sensor/window"), try await fixture.reading("sensor/window"),
                try await fixture.reading("sensor/window"),
            ]
            #expect(values[0] != values[1] && values[1] != values[2])
        }
    }

    @Test func `publish rules do not apply to events`() throws {
        let packets = Self.packets { _ in "3a01" }
        let keys = ", publish: {on_change: true, at_least_every: 1h}"
        try withFixture(scenario(packets, keys: keys, every: "50ms")) { fixture in
            let presses = [
                try await fixture.reading("sensor/button"), try await fixture.reading("sensor/button"),
                try await fixture.reading("sensor/button"),
            ]
            #expect(presses == Array(repeating: #"{"value":"press","number":1}"#, count: 3))
        }
    }

    @Test func `a button press is published and not retained`() throws {
        try withFixture(scenario("403a01")) { fixture in
            let press = try await fixture.reading("sensor/button")
            #expect(press == #"{"value":"press","number":1}"#)
            #expect(try await fixture.retained()["bluefleet/sensor/button"] == nil)
        }
    }

    @Test func `a repeated button press is published once`() throws {
        // MiBeacon: a press with a counter, a packet without an object, and the counter of the next press.
        let fleet = """
            peripherals:
              sensor:
                address: 54:48:E6:8F:80:A5
                kind: public
                advertise:
                  every: 5ms
                  connectable: false
                  service_data: {FE95: [4050681507011003000000, "0050681507", 4050681508011003000001]}
            """
        let scenario = Scenario(fleet: fleet, #"devices: {sensor: {address: "54:48:E6:8F:80:A5", connect: never}}"#)
        try withFixture(scenario) { fixture in
            let presses = [try await fixture.reading("sensor/button"), try await fixture.reading("sensor/button")]
            #expect(
                Set(presses) == [#"{"value":"press","number":0}"#, #"{"value":"long_press","number":1}"#])
            try await fixture.request("bridge/attic/request/scan", #"{"for": "200ms"}"#)
            #expect(fixture.recorder.all("bluefleet/sensor/button").count == 2)
        }
    }

    @Test func `the name of a device without data is published`() throws {
        let fleet = """
            peripherals:
              tag:
                address: C0:00:00:00:00:09
                name: iTAG
                advertise: {every: 5ms}
            """
        let scenario = Scenario(fleet: fleet, #"devices: {tag: {address: "C0:00:00:00:00:09", connect: never}}"#)
        try withFixture(scenario) { fixture in
            let device = try await fixture.reading("tag/device")
            #expect(device == #"{"value":"iTAG Tracker"}"#)
            let error = try await fixture.request("tag/nope/get")["error"]
            #expect(error?["code"] == "unknown_characteristic")
            let message = "tag/nope: no such characteristic; configured: none; advertised: device"
            #expect(error?["message"]?.string == message)
            #expect(try await fixture.events(of: "tag") == [])
        }
    }

    @Test func `an encrypted device without a key is reported once`() throws {
        try withFixture(scenario(Self.encrypted, "41a47266c95f740011223378237214")) { fixture in
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "advertisement_refused"
            }
            #expect(event["device"] == "sensor")
            #expect(event["reason"]?.string?.contains("encrypted") == true)
            try await fixture.request("bridge/attic/request/scan", #"{"for": "200ms"}"#)
            let events = fixture.recorder.all("bluefleet/bridge/attic/event")
            #expect(events.count { $0.json?["type"] == "advertisement_refused" } == 1)
            let availability = try await fixture.recorder.next("bluefleet/sensor/availability") {
                $0["reason"]?.string?.contains("encrypted") == true
            }
            #expect(availability["state"] == "offline")
        }
    }

    @Test func `a key decrypts a device; a wrong key and an unencrypted advertisement are reported`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Self.key.write(toFile: "\(folder.path)/right", atomically: true, encoding: .utf8)
        try String(repeating: "0", count: 32).write(toFile: "\(folder.path)/wrong", atomically: true, encoding: .utf8)
        try withFixture(scenario(Self.encrypted, keys: ", key_file: \(folder.path)/right")) { fixture in
            let reading = try await fixture.reading("sensor/temperature")
            #expect(reading == #"{"value":25.06,"unit":"°C"}"#)
        }
        try withFixture(scenario(Self.encrypted, keys: ", key_file: \(folder.path)/wrong")) { fixture in
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "advertisement_refused"
            }
            #expect(event["reason"]?.string?.contains("the key does not decrypt") == true)
        }
        // Any sender could send an unencrypted advertisement.
        try withFixture(scenario("4002ca09", keys: ", key_file: \(folder.path)/right")) { fixture in
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "advertisement_refused"
            }
            #expect(event["reason"]?.string?.contains("not encrypted") == true)
            #expect(fixture.recorder.all("bluefleet/sensor/temperature").isEmpty)
        }
    }

    @Test func `advertised quantities cannot be read, and connect never rejects commands`() throws {
        try withFixture(scenario("4002ca09")) { fixture in
            try await fixture.recorder.next("bluefleet/sensor/temperature")
            #expect(try await fixture.refusal("sensor/temperature/get") == "not_supported")
            #expect(try await fixture.refusal("sensor/request/connect") == "not_supported")
            #expect(try await fixture.refusal("sensor/humidity/get") == "unknown_characteristic")
            #expect(try await fixture.request("sensor/request/rssi")["data"]?["rssi"] == -64)
        }
    }

    @Test func `the configured medium decides about the level of a tank`() throws {
        let fleet = """
            peripherals:
              tank:
                address: C0:00:00:00:00:09
                advertise: {every: 5ms, services: [FEE5], manufacturer_data: {0x0059: 03603de8c3e0f509f0d8}}
            """
        let configuration = "devices: {tank: {address: C0:00:00:00:00:09, connect: never, medium: water}}"
        try withFixture(Scenario(fleet: fleet, configuration)) { fixture in
            let level = try await fixture.reading("tank/tank_level")
            #expect(level == #"{"value":740,"unit":"mm"}"#)
        }
    }

    @Test func `a configured format is announced before the first advertisement`() throws {
        let fleet = """
            peripherals:
              tank:
                address: C0:00:00:00:00:09
                advertise: {on: false, every: 5ms, manufacturer_data: {0x1234: a55a2c01}}
            """
        let configuration = """
            devices:
              tank:
                address: C0:00:00:00:00:09
                connect: never
                advertisement:
                  company: 0x1234
                  starts_with: "a55a"
                  format:
                    - {name: head, type: bytes, length: 2, hidden: true}
                    - {name: level, type: uint16, scale: 0.1, unit: "%"}
            """
        let scenario = Scenario(fleet: fleet, configuration).with { $0.homeAssistant = "discovery: device" }
        try withFixture(scenario) { fixture in
            try await fixture.recorder.next("bluefleet/tank/availability") {
                $0 == ["state": "offline", "reason": "the device has not been seen yet"]
            }
            let discovery = try await fixture.recorder.next("homeassistant/device/bluefleet_c00000000009/config")
            let component = discovery["components"]?["advertised_level"]
            #expect(component?["state_topic"] == "bluefleet/tank/level")
            #expect(component?["unit_of_measurement"] == "%")
            try await fixture.direct { try $0.switchAdvertising(of: "tank", on: true) }
            #expect(try await fixture.reading("tank/level") == #"{"value":30,"unit":"%"}"#)
        }
    }

    @Test func `Home Assistant discovers quantities with the first advertisements, and at the next start at once`()
        throws
    {
        let scenario = scenario("4001620f01").with { $0.homeAssistant = "discovery: device" }
        let topic = "homeassistant/device/bluefleet_5448e68f80a5/config"
        try withFixture(scenario) { fixture in
            let discovery = try await fixture.recorder.next(topic) { $0["components"]?["advertised_battery"] != nil }
            #expect(discovery["components"]?["advertised_battery"]?["platform"] == "sensor")
            #expect(discovery["components"]?["advertised_battery"]?["device_class"] == "battery")
            #expect(discovery["components"]?["advertised_generic"]?["platform"] == "binary_sensor")
            try await fixture.stopGateway()
            try await fixture.direct { try $0.switchAdvertising(of: "sensor", on: false) }
            try await fixture.startGateway()
            let again = try await fixture.recorder.next(topic)
            #expect(again["components"]?["advertised_battery"]?["device_class"] == "battery")
            #expect(again["components"]?["advertised_generic"]?["platform"] == "binary_sensor")
        }
    }

    @Test func `Home Assistant shows the model of a product that its packets name, and at the next start at once`()
        throws
    {
        let scenario = scenario().with {
            $0.fleet = $0.fleet.replacingAll("{FCD2: []}", with: "{FE95: [4050980007 0A10015F]}")
            $0.homeAssistant = "discovery: device"
        }
        let topic = "homeassistant/device/bluefleet_5448e68f80a5/config"
        try withFixture(scenario) { fixture in
            let discovery = try await fixture.recorder.next(topic) { $0["components"]?["advertised_battery"] != nil }
            #expect(discovery["device"]?["manufacturer"] == "Xiaomi")
            #expect(discovery["device"]?["model"] == "HHCCJCY01")
            #expect(discovery["device"]?["model_id"] == "0x0098")
            try await fixture.stopGateway()
            try await fixture.direct { try $0.switchAdvertising(of: "sensor", on: false) }
            try await fixture.startGateway()
            #expect(try await fixture.recorder.next(topic)["device"] == discovery["device"])
            // An earlier release has not stored the product.
            try await fixture.stopGateway()
            let file = "\(fixture.folder.path)/state/quantities.json"
            let stored = try String(contentsOfFile: file, encoding: .utf8)
            try stored.replacingAll(",\"product\":152", with: "").write(toFile: file, atomically: true, encoding: .utf8)
            try await fixture.startGateway()
            #expect(try await fixture.recorder.next(topic)["device"]?["model"] == nil)
            try await fixture.direct { try $0.switchAdvertising(of: "sensor", on: true) }
            #expect(try await fixture.recorder.next(topic)["device"] == discovery["device"])
        }
    }
}
