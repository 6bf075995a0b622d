import EventLoop
import Foundation
import JSON
import MQTT
import Simulator
import Testing

/// Devices that are never connected to: what they advertise becomes readings (contract, parts 2, 3 and 5).
@Suite struct AdvertisingTests {
    /// A sensor that says these, one packet after the other.
    private func script(_ packets: String..., keys: String = "", every: String = "5ms") -> Script {
        Script(
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

    private static let encrypted = "41a47266c95f730011223378237214"
    private static let key = "231d39c1d7cc1ab1aee224cd096db932"

    @Test func `each quantity is a topic, and one packet has one time`() throws {
        try onStage(script("4002ca0903bf13")) { _, stage in
            let temperature = try await stage.record.next("bluefleet/sensor/temperature")
            #expect(temperature.withoutTime == #"{"value":25.06,"unit":"°C"}"#)
            let humidity = try await stage.record.next("bluefleet/sensor/humidity")
            #expect(humidity.withoutTime == #"{"value":50.55,"unit":"%"}"#)
            #expect(temperature["time"] == humidity["time"])
            #expect(try await stage.retained()["bluefleet/sensor/temperature"] != nil)
            let info = try await stage.record.next("bluefleet/sensor/info") {
                $0["advertisement"]?["fields"]?.array?.isEmpty == false
            }
            #expect(
                info["advertisement"]?["fields"]?[0]
                    == ["name": "temperature", "format": "bthome", "unit": "°C"])
            let connection = try await stage.record.next("bluefleet/sensor/connection") { $0["rssi"] != nil }
            #expect(connection.withoutTime == #"{"state":"disconnected","adapter":"hci0","rssi":-64}"#)
            try await stage.availability(of: "sensor", "online")
            #expect(try await stage.events(of: "sensor") == [])
        }
    }

    @Test func `the same packet heard again is no other reading`() throws {
        try onStage(script("4002ca09")) { _, stage in
            try await stage.record.next("bluefleet/sensor/temperature")
            // By then it has been heard many times more.
            try await stage.request("bridge/attic/request/scan", #"{"for": "200ms"}"#)
            #expect(stage.record.all("bluefleet/sensor/temperature").count == 1)
        }
    }

    @Test func `publishing rules hold for what is advertised`() throws {
        let rules = ", publish: {deadband: 1, payload: value}"
        try onStage(script("4002d007", "40023408", "40029808", "4002fc08", keys: rules)) { _, stage in
            let first = try await stage.record.message("bluefleet/sensor/temperature").text
            let second = try await stage.record.message("bluefleet/sensor/temperature").text
            let values = try [first, second].map { try #require($0.flatMap { Double($0) }) }
            #expect(abs(values[0] - values[1]) >= 1)
            #expect(Set(values).isSubset(of: [20, 21, 22, 23]))
        }
    }

    @Test func `a button's press is told and not kept`() throws {
        try onStage(script("403a01")) { _, stage in
            let press = try await stage.reading("sensor/button")
            #expect(press == #"{"value":"press","number":1}"#)
            #expect(try await stage.retained()["bluefleet/sensor/button"] == nil)
        }
    }

    @Test func `a press that is sent again, with other packets between, is told once`() throws {
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
        let script = Script(fleet: fleet, #"devices: {sensor: {address: "54:48:E6:8F:80:A5", connect: never}}"#)
        try onStage(script) { _, stage in
            let presses = [try await stage.reading("sensor/button"), try await stage.reading("sensor/button")]
            #expect(
                Set(presses) == [#"{"value":"press","number":0}"#, #"{"value":"long_press","number":1}"#])
            try await stage.request("bridge/attic/request/scan", #"{"for": "200ms"}"#)
            #expect(stage.record.all("bluefleet/sensor/button").count == 2)
        }
    }

    @Test func `a device that has only a name is known by it`() throws {
        let fleet = """
            peripherals:
              tag:
                address: C0:00:00:00:00:09
                name: iTAG
                advertise: {every: 5ms}
            """
        let script = Script(fleet: fleet, #"devices: {tag: {address: "C0:00:00:00:00:09", connect: never}}"#)
        try onStage(script) { _, stage in
            let device = try await stage.reading("tag/device")
            #expect(device == #"{"value":"iTAG Tracker"}"#)
            let error = try await stage.request("tag/nope/get")["error"]
            #expect(error?["code"] == "unknown_characteristic")
            let message = "tag/nope: no such characteristic; it has none, and it advertises device"
            #expect(error?["message"]?.string == message)
            #expect(try await stage.events(of: "tag") == [])
        }
    }

    @Test func `an encrypted device without its key says so once`() throws {
        try onStage(script(Self.encrypted, "41a47266c95f740011223378237214")) { _, stage in
            let event = try await stage.record.next("bluefleet/bridge/attic/event") {
                $0["type"] == "advertisement_refused"
            }
            #expect(event["device"] == "sensor")
            #expect(event["reason"]?.string?.contains("encrypted") == true)
            try await stage.request("bridge/attic/request/scan", #"{"for": "200ms"}"#)
            let events = stage.record.all("bluefleet/bridge/attic/event")
            #expect(events.count { $0.json?["type"] == "advertisement_refused" } == 1)
            // It is there, whatever it says.
            try await stage.availability(of: "sensor", "online")
        }
    }

    @Test func `with its key an encrypted device is read, a wrong key is told, and so is a packet in the clear`() throws
    {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try Self.key.write(toFile: "\(folder.path)/right", atomically: true, encoding: .utf8)
        try String(repeating: "0", count: 32).write(toFile: "\(folder.path)/wrong", atomically: true, encoding: .utf8)
        try onStage(script(Self.encrypted, keys: ", key_file: \(folder.path)/right")) { _, stage in
            let reading = try await stage.reading("sensor/temperature")
            #expect(reading == #"{"value":25.06,"unit":"°C"}"#)
        }
        try onStage(script(Self.encrypted, keys: ", key_file: \(folder.path)/wrong")) { _, stage in
            let event = try await stage.record.next("bluefleet/bridge/attic/event") {
                $0["type"] == "advertisement_refused"
            }
            #expect(event["reason"]?.string?.contains("the key does not open") == true)
        }
        // Without encryption it might come from anybody.
        try onStage(script("4002ca09", keys: ", key_file: \(folder.path)/right")) { _, stage in
            let event = try await stage.record.next("bluefleet/bridge/attic/event") {
                $0["type"] == "advertisement_refused"
            }
            #expect(event["reason"]?.string?.contains("not encrypted") == true)
            #expect(stage.record.all("bluefleet/sensor/temperature").isEmpty)
        }
    }

    @Test func `what is advertised cannot be asked for or connected to`() throws {
        try onStage(script("4002ca09")) { _, stage in
            try await stage.record.next("bluefleet/sensor/temperature")
            #expect(try await stage.refusal("sensor/temperature/get") == "not_supported")
            #expect(try await stage.refusal("sensor/request/connect") == "not_supported")
            #expect(try await stage.refusal("sensor/humidity/get") == "unknown_characteristic")
            #expect(try await stage.request("sensor/request/rssi")["data"]?["rssi"] == -64)
        }
    }

    @Test func `a format of one's own is known before the first packet`() throws {
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
        let script = Script(fleet: fleet, configuration).with { $0.homeAssistant = "discovery: device" }
        try onStage(script) { _, stage in
            try await stage.record.next("bluefleet/tank/availability") {
                $0 == ["state": "offline", "reason": "it has not been heard yet"]
            }
            let discovery = try await stage.record.next("homeassistant/device/bluefleet_c00000000009/config")
            let component = discovery["components"]?["advertised_level"]
            #expect(component?["state_topic"] == "bluefleet/tank/level")
            #expect(component?["unit_of_measurement"] == "%")
            try await stage.direct { try $0.switchAdvertising(of: "tank", on: true) }
            #expect(try await stage.reading("tank/level") == #"{"value":30,"unit":"%"}"#)
        }
    }

    @Test func `Home Assistant hears of the quantities with the first packets, and at the next start at once`() throws {
        let script = script("4001620f01").with { $0.homeAssistant = "discovery: device" }
        let topic = "homeassistant/device/bluefleet_5448e68f80a5/config"
        try onStage(script) { _, stage in
            let discovery = try await stage.record.next(topic) { $0["components"]?["advertised_battery"] != nil }
            #expect(discovery["components"]?["advertised_battery"]?["platform"] == "sensor")
            #expect(discovery["components"]?["advertised_battery"]?["device_class"] == "battery")
            #expect(discovery["components"]?["advertised_generic"]?["platform"] == "binary_sensor")
            try await stage.stopGateway()
            try await stage.direct { try $0.switchAdvertising(of: "sensor", on: false) }
            try await stage.startGateway()
            let again = try await stage.record.next(topic)
            #expect(again["components"]?["advertised_battery"]?["device_class"] == "battery")
            #expect(again["components"]?["advertised_generic"]?["platform"] == "binary_sensor")
        }
    }
}
