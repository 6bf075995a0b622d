import Configuration
import EventLoop
import JSON
import MQTT
import System
import TestSupport
import TestTraits
import Testing

@testable import Bridge
@testable import Devices

/// The expiry of readings.
@Suite(.ownThreads) struct ExpiryTests {
    private func expiry(_ characteristic: String, _ device: String = "connect: always") throws -> Duration? {
        let configuration = try Configuration(
            yaml: """
                devices:
                  sensor:
                    address: C0:00:00:00:00:01
                    \(device)
                    characteristics: {temperature: {\(characteristic)}}
                """)
        let device = configuration.devices[0]
        return ExpiryRule(device.characteristics[0], device.settings).expiry(Rhythm(device.characteristics[0]))
    }

    @Test(arguments: [
        ("read: 1h", 3 * 3600 + 60), ("read: 1h, publish: {at_most_every: 2h}", 6 * 3600 + 60),
        ("read: 1h, publish: {deadband: 1, at_least_every: 5h}", 15 * 3600 + 60),
        ("subscribe: true, publish: {at_least_every: 5m}", 15 * 60 + 60),
    ])
    func `a reading with an interval expires after three intervals and the tolerance`(keys: String, seconds: Int) throws
    {
        #expect(try expiry(keys) == .seconds(seconds))
    }

    @Test func `a reading of a periodic device expires after three sessions`() throws {
        #expect(try expiry("subscribe: true", "connect: every 10m") == .seconds(1860))
    }

    @Test(arguments: [
        "subscribe: true", "read: on connect", "read: 1h, publish: {on_change: true}",
        "read: 1h, publish: {deadband: 1}", "read: 1h, retain: false",
    ])
    func `a reading without an interval, or that is not retained, does not expire`(keys: String) throws {
        #expect(try expiry(keys) == nil)
    }

    @Test func `a message carries the gateway, the content type and the expiry`() throws {
        let scenario = Scenario.climate("connect: every 10m").with { $0.mqtt = "protocol: 5" }
        try withFixture(scenario) { fixture in
            let reading = try await fixture.recorder.message("bluefleet/climate/battery")
            #expect(reading.properties.contentType == "application/json")
            #expect(reading.properties.userProperties == [.init("gateway", "attic")])
            let expiry = try #require(reading.properties.expiry)
            #expect(expiry > .seconds(1800) && expiry <= .seconds(1860))
            let availability = try await fixture.recorder.message("bluefleet/climate/availability")
            #expect(availability.properties.expiry == nil)
        }
    }

    @Test func `a reading that moves to another topic keeps its expiry`() throws {
        let scenario = Scenario.climate("connect: every 10m").with { $0.mqtt = "protocol: 5" }
        try withFixture(scenario) { fixture in
            try await fixture.recorder.message("bluefleet/climate/battery")
            let moved = try Configuration(
                yaml: """
                    gateway: attic
                    state_directory: \(fixture.folder.path)/state
                    mqtt: {url: "mqtt://127.0.0.1:\(fixture.broker.port)", protocol: 5, prefix: house}
                    home_assistant: {discovery: none}
                    \(fixture.file)
                    """)
            await fixture.reload(moved)
            let reading = try await fixture.recorder.message("house/climate/battery")
            let expiry = try #require(reading.properties.expiry)
            #expect(expiry > .seconds(1800) && expiry <= .seconds(1860))
            // The fixture waits for the end where the bridge was at first.
            await fixture.reload(try fixture.configuration(fixture.file))
            try await fixture.recorder.next("bluefleet/bridge/attic/state") { $0["state"] == "online" }
        }
    }

    @Test func `retained readings are published again after the broker has lost them`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.recorder.message("bluefleet/climate/battery")
            let first = try await fixture.retained()["bluefleet/climate/battery"]
            fixture.broker.stop()
            try fixture.broker.start()
            try await fixture.recorder.message("bluefleet/climate/battery")
            #expect(first != nil)
            let second = try await fixture.retained()["bluefleet/climate/battery"]
            #expect(first == second)
        }
    }
}
