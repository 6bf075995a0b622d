import EventLoop
import Foundation
import JSON
import MQTT
import Simulator
import TestSupport
import TestTraits
import Testing

/// The adoption of devices by fleet rules.
@Suite(.ownThreads) struct AdoptingTests {
    private static func peripheral(
        _ name: String, _ number: Int, _ advertise: String = "services: [181A]", local: String = "Sensor"
    ) -> String {
        """
          \(name):
            address: C0:00:00:00:00:0\(number)
            name: "\(local)"
            advertise: {every: 5ms, \(advertise)}
            pace: \(Scenario.hurry)
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
        .replacingAll("sensors/{name}", with: "sensors/{address}")

    private func scenario(_ peripherals: String..., configuration: String = rule) -> Scenario {
        Scenario(fleet: "peripherals:\n" + peripherals.joined(separator: "\n"), configuration)
    }

    private func adopted(_ fixture: Fixture) async throws -> JSON {
        try await fixture.recorder.next("bluefleet/bridge/attic/event") { $0["type"] == "device_adopted" }
    }

    @Test func `a matching device is adopted with its profile, also after a restart`() throws {
        let scenario = scenario(
            Self.peripheral("one", 1), Self.peripheral("two", 2, "services: [180F]"),
            Self.peripheral("three", 3, local: "Other"), configuration: Self.address)
        try withFixture(scenario) { fixture in
            let event = try await adopted(fixture)
            #expect(event["device"] == "sensors/C0:00:00:00:00:01")
            #expect(event["address"] == "C0:00:00:00:00:01")
            #expect(
                try await fixture.reading("sensors/C0:00:00:00:00:01/temperature") == #"{"value":21.5,"unit":"°C"}"#)
            try await fixture.recorder.next("bluefleet/bridge/attic/devices") { list in
                list["devices"]?[0]?["profile"] == "climate"
            }
            try await fixture.stopGateway()
            try await fixture.direct { try $0.switchAdvertising(of: "one", on: false) }
            try await fixture.startGateway()
            try await fixture.recorder.next("bluefleet/sensors/C0:00:00:00:00:01/availability")
            try await fixture.direct { try $0.switchAdvertising(of: "one", on: true) }
            try await fixture.connection(of: "sensors/C0:00:00:00:00:01", "connected")
            // Other devices nearby are ignored.
            #expect(
                !fixture.recorder.messages.contains { "\($0.topic)".contains(":02") || "\($0.topic)".contains(":03") })
            let events = fixture.recorder.all("bluefleet/bridge/attic/event")
            #expect(events.count { $0.json?["type"] == "device_adopted" } == 1)
        }
    }

    @Test func `an adoption that could not be stored is repeated when the disk has room`() throws {
        let scenario = scenario(Self.peripheral("one", 1)).with { $0.hasGateway = false }
        try withFixture(scenario) { fixture in
            let obstacle = fixture.folder.path("state/devices.json.new")
            try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: true)
            try await fixture.startGateway()
            // An advertisement reaches all observers at once.
            let scan = try await fixture.request("bridge/attic/request/scan", #"{"for": "300ms"}"#)
            #expect(scan["data"]?["devices"]?.array?.count == 1)
            #expect(
                fixture.recorder.all("bluefleet/bridge/attic/event").allSatisfy { $0.json?["type"] != "device_adopted" }
            )
            try FileManager.default.removeItem(atPath: obstacle)
            _ = try await adopted(fixture)
            try await fixture.connection(of: "sensors/Sensor", "connected")
        }
    }

    @Test func `a device that comes into range while the gateway runs is adopted`() throws {
        let scenario = scenario(Self.peripheral("one", 1, "on: false, services: [181A]"))
        try withFixture(scenario) { fixture in
            try await fixture.request("bridge/attic/request/log_level")
            #expect(
                fixture.recorder.all("bluefleet/bridge/attic/event").allSatisfy { $0.json?["type"] != "device_adopted" }
            )
            try await fixture.direct { try $0.switchAdvertising(of: "one", on: true) }
            #expect(try await adopted(fixture)["device"] == "sensors/Sensor")
            try await fixture.connection(of: "sensors/Sensor", "connected")
        }
    }

    @Test func `devices with the same name get distinct names that are valid in topics`() throws {
        let scenario = scenario(
            Self.peripheral("one", 1, local: "Sensor +/1"), Self.peripheral("two", 2, local: "Sensor +/1"))
        try withFixture(scenario) { fixture in
            let names = try [await adopted(fixture)["device"]?.string, await adopted(fixture)["device"]?.string]
            let first = try #require(names[0])
            let second = try #require(names[1])
            #expect(first == "sensors/Sensor __1")
            #expect(["\(first)_C0:00:00:00:00:01", "\(first)_C0:00:00:00:00:02"].contains(second))
            try await fixture.connection(of: first, "connected")
            try await fixture.connection(of: second, "connected")
        }
    }

    @Test func `a removed device is not adopted again until a client restores it`() throws {
        try withFixture(scenario(Self.peripheral("one", 1))) { fixture in
            _ = try await adopted(fixture)
            try await fixture.connection(of: "sensors/Sensor", "connected")
            let device = #"{"device": "sensors/Sensor"}"#
            try await fixture.request("bridge/attic/request/device/remove", device)
            let retained = try await fixture.retained().keys
            #expect(!retained.contains { $0.hasPrefix("bluefleet/sensors") })
            try await fixture.request("bridge/attic/request/scan", #"{"for": "200ms"}"#)
            #expect(
                fixture.recorder.all("bluefleet/bridge/attic/event").count { $0.json?["type"] == "device_adopted" } == 1
            )
            try await fixture.request("bridge/attic/request/device/add", device)
            _ = try await adopted(fixture)
            try await fixture.connection(of: "sensors/Sensor", "connected")
        }
    }

    @Test func `an adopted device keeps its new name, and is removed with its rule`() throws {
        try withFixture(scenario(Self.peripheral("one", 1))) { fixture in
            _ = try await adopted(fixture)
            let rename = #"{"device": "sensors/Sensor", "to": "porch"}"#
            try await fixture.request("bridge/attic/request/device/rename", rename)
            try await fixture.connection(of: "porch", "connected")
            fixture.file = Self.rule.replacingAll("read: on connect", with: "read: 1h")
            #expect(try await fixture.request("bridge/attic/request/reload")["data"]?["changed"] == ["porch"])
            try await fixture.connection(of: "porch", "connected")
            fixture.file = "devices: {}"
            #expect(try await fixture.request("bridge/attic/request/reload")["data"]?["removed"] == ["porch"])
            #expect(try await !fixture.retained().keys.contains { $0.hasPrefix("bluefleet/porch") })
        }
    }

    @Test func `a device that the file lists is not adopted, or no longer`() throws {
        let listed = "devices: {mine: {address: C0:00:00:00:00:01}}\n" + Self.rule
        try withFixture(scenario(Self.peripheral("one", 1), Self.peripheral("two", 2), configuration: listed)) {
            fixture in
            #expect(try await adopted(fixture)["address"] == "C0:00:00:00:00:02")
            fixture.file = listed.replacingAll("mine: {", with: "other: {address: C0:00:00:00:00:02}, mine: {")
            let data = try await fixture.request("bridge/attic/request/reload")["data"]
            #expect(data?["added"] == ["other"])
            #expect(data?["removed"] == ["sensors/Sensor"])
            #expect(data?["changed"] == [])
        }
    }
}
