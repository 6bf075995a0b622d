import EventLoop
import Foundation
import JSON
import MQTT
import Simulator
import TestSupport
import Testing

/// Devices that nobody listed, and that a fleet rule takes in (contract, part 2).
@Suite struct AdoptingTests {
    private static func peripheral(
        _ name: String, _ number: Int, _ advertise: String = "services: [181A]", local: String = "Sensor"
    ) -> String {
        """
          \(name):
            address: C0:00:00:00:00:0\(number)
            name: "\(local)"
            advertise: {every: 5ms, \(advertise)}
            pace: \(Script.hurry)
            services:
              - uuid: 181A
                characteristics: [{uuid: temperature, flags: [read, notify], value: 21.5}]
        """
    }

    private static let rule = """
        profiles:
          climate: {characteristics: {temperature: {service: 181A, subscribe: true, read: on connect}}}
        fleet:
          - match: {name: "Sensor*", services: [181A]}
            profile: climate
            device: "sensors/{name}"
        """

    private static let address =
        rule
        .replacing("sensors/{name}", with: "sensors/{address}")

    private func script(_ peripherals: String..., configuration: String = rule) -> Script {
        Script(fleet: "peripherals:\n" + peripherals.joined(separator: "\n"), configuration)
    }

    private func adopted(_ stage: Stage) async throws -> JSON {
        try await stage.record.next("bluefleet/bridge/attic/event") { $0["type"] == "device_adopted" }
    }

    @Test func `what matches is adopted, works as its profile says, and is still there after a restart`() throws {
        let script = script(
            Self.peripheral("one", 1), Self.peripheral("two", 2, "services: [180F]"),
            Self.peripheral("three", 3, local: "Other"), configuration: Self.address)
        try onStage(script) { _, stage in
            let event = try await adopted(stage)
            #expect(event["device"] == "sensors/C0:00:00:00:00:01")
            #expect(event["address"] == "C0:00:00:00:00:01")
            #expect(try await stage.reading("sensors/C0:00:00:00:00:01/temperature") == #"{"value":21.5,"unit":"°C"}"#)
            try await stage.stopGateway()
            try await stage.direct { try $0.switchAdvertising(of: "one", on: false) }
            try await stage.startGateway()
            try await stage.record.next("bluefleet/sensors/C0:00:00:00:00:01/availability")
            try await stage.direct { try $0.switchAdvertising(of: "one", on: true) }
            try await stage.connection(of: "sensors/C0:00:00:00:00:01", "connected")
            // Neighbours are nobody's business.
            #expect(!stage.record.messages.contains { "\($0.topic)".contains(":02") || "\($0.topic)".contains(":03") })
            let events = stage.record.all("bluefleet/bridge/attic/event")
            #expect(events.count { $0.json?["type"] == "device_adopted" } == 1)
        }
    }

    @Test func `a device that could not be kept is adopted when there is room again`() throws {
        let script = script(Self.peripheral("one", 1)).with { $0.hasGateway = false }
        try onStage(script) { _, stage in
            let obstacle = stage.folder.path("state/devices.json.new")
            try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
            try await stage.startGateway()
            // Heard by one, it is heard by all.
            let scan = try await stage.request("bridge/attic/request/scan", #"{"for": "300ms"}"#)
            #expect(scan["data"]?["devices"]?.array?.count == 1)
            #expect(
                stage.record.all("bluefleet/bridge/attic/event").allSatisfy { $0.json?["type"] != "device_adopted" })
            try FileManager.default.removeItem(atPath: obstacle)
            _ = try await adopted(stage)
            try await stage.connection(of: "sensors/Sensor", "connected")
        }
    }

    @Test func `a device that comes into range while the gateway runs is adopted`() throws {
        let script = script(Self.peripheral("one", 1, "on: false, services: [181A]"))
        try onStage(script) { _, stage in
            try await stage.request("bridge/attic/request/log_level")
            #expect(
                stage.record.all("bluefleet/bridge/attic/event").allSatisfy { $0.json?["type"] != "device_adopted" })
            try await stage.direct { try $0.switchAdvertising(of: "one", on: true) }
            #expect(try await adopted(stage)["device"] == "sensors/Sensor")
            try await stage.connection(of: "sensors/Sensor", "connected")
        }
    }

    @Test func `two devices of one name are told apart, and names are made fit for a topic`() throws {
        let script = script(
            Self.peripheral("one", 1, local: "Sensor +/1"), Self.peripheral("two", 2, local: "Sensor +/1"))
        try onStage(script) { _, stage in
            let names = try [await adopted(stage)["device"]?.string, await adopted(stage)["device"]?.string]
            let first = try #require(names[0])
            let second = try #require(names[1])
            #expect(first == "sensors/Sensor __1")
            #expect(["\(first)_C0:00:00:00:00:01", "\(first)_C0:00:00:00:00:02"].contains(second))
            try await stage.connection(of: first, "connected")
            try await stage.connection(of: second, "connected")
        }
    }

    @Test func `a device that is removed is not adopted again, until somebody wants it back`() throws {
        try onStage(script(Self.peripheral("one", 1))) { _, stage in
            _ = try await adopted(stage)
            try await stage.connection(of: "sensors/Sensor", "connected")
            let device = #"{"device": "sensors/Sensor"}"#
            try await stage.request("bridge/attic/request/device/remove", device)
            let retained = try await stage.retained().keys
            #expect(!retained.contains { $0.hasPrefix("bluefleet/sensors") })
            try await stage.request("bridge/attic/request/scan", #"{"for": "200ms"}"#)
            #expect(
                stage.record.all("bluefleet/bridge/attic/event").count { $0.json?["type"] == "device_adopted" } == 1)
            try await stage.request("bridge/attic/request/device/add", device)
            _ = try await adopted(stage)
            try await stage.connection(of: "sensors/Sensor", "connected")
        }
    }

    @Test func `a device keeps the name that it was given, and goes when its rule goes`() throws {
        try onStage(script(Self.peripheral("one", 1))) { _, stage in
            _ = try await adopted(stage)
            let rename = #"{"device": "sensors/Sensor", "to": "porch"}"#
            try await stage.request("bridge/attic/request/device/rename", rename)
            try await stage.connection(of: "porch", "connected")
            stage.file = Self.rule.replacing("read: on connect", with: "read: 1h")
            #expect(try await stage.request("bridge/attic/request/reload")["data"]?["changed"] == ["porch"])
            try await stage.connection(of: "porch", "connected")
            stage.file = "devices: {}"
            #expect(try await stage.request("bridge/attic/request/reload")["data"]?["removed"] == ["porch"])
            #expect(try await !stage.retained().keys.contains { $0.hasPrefix("bluefleet/porch") })
        }
    }

    @Test func `what the file lists is not adopted, and what it lists later is the file's`() throws {
        let listed = "devices: {mine: {address: C0:00:00:00:00:01}}\n" + Self.rule
        try onStage(script(Self.peripheral("one", 1), Self.peripheral("two", 2), configuration: listed)) { _, stage in
            #expect(try await adopted(stage)["address"] == "C0:00:00:00:00:02")
            stage.file = listed.replacing("mine: {", with: "other: {address: C0:00:00:00:00:02}, mine: {")
            let data = try await stage.request("bridge/attic/request/reload")["data"]
            #expect(data?["added"] == ["other"])
            #expect(data?["removed"] == ["sensors/Sensor"])
            #expect(data?["changed"] == [])
        }
    }
}
