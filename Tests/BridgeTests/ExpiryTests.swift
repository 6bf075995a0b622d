import Configuration
import EventLoop
import JSON
import MQTT
import TestSupport
import Testing

@testable import Bridge

/// How long a broker keeps a reading.
@Suite struct ExpiryTests {
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
        return device.characteristics[0].expiry(device.connect, Rhythm(device.characteristics[0]))
    }

    @Test(arguments: [
        ("read: 1h", 3 * 3600 + 60), ("read: 1h, publish: {at_most_every: 2h}", 6 * 3600 + 60),
        ("read: 1h, publish: {deadband: 1, at_least_every: 5h}", 15 * 3600 + 60),
        ("subscribe: true, publish: {at_least_every: 5m}", 15 * 60 + 60),
    ])
    func `what comes in an interval is kept for three of them`(keys: String, seconds: Int) throws {
        #expect(try expiry(keys) == .seconds(seconds))
    }

    @Test func `what a periodic device says is kept for three of its sessions`() throws {
        #expect(try expiry("subscribe: true", "connect: every 10m") == .seconds(1860))
    }

    @Test(arguments: [
        "subscribe: true", "read: on connect", "read: 1h, publish: {on_change: true}",
        "read: 1h, publish: {deadband: 1}", "read: 1h, retain: false",
    ])
    func `what may be long in coming, and what is not kept at all, does not expire`(keys: String) throws {
        #expect(try expiry(keys) == nil)
    }

    @Test func `a message says whose it is, what it is and how long it is worth something`() throws {
        let script = Script.climate("connect: every 10m").with { $0.mqtt = "protocol: 5" }
        try onStage(script) { _, stage in
            let reading = try await stage.record.message("bluefleet/climate/battery")
            #expect(reading.properties.contentType == "application/json")
            #expect(reading.properties.userProperties == [.init("gateway", "attic")])
            let expiry = try #require(reading.properties.expiry)
            #expect(expiry > .seconds(1800) && expiry <= .seconds(1860))
            let availability = try await stage.record.message("bluefleet/climate/availability")
            #expect(availability.properties.expiry == nil)
        }
    }

    @Test func `under other topics a reading is worth something for as long as it was`() throws {
        let script = Script.climate("connect: every 10m").with { $0.mqtt = "protocol: 5" }
        try onStage(script) { _, stage in
            try await stage.record.message("bluefleet/climate/battery")
            let moved = try Configuration(
                yaml: """
                    gateway: attic
                    state_directory: \(stage.folder.path)/state
                    mqtt: {url: "mqtt://127.0.0.1:\(stage.broker.port)", protocol: 5, prefix: house}
                    home_assistant: {discovery: none}
                    \(stage.file)
                    """)
            await stage.gateway?.reload(moved)
            let reading = try await stage.record.message("house/climate/battery")
            let expiry = try #require(reading.properties.expiry)
            #expect(expiry > .seconds(1800) && expiry <= .seconds(1860))
            // The stage waits for the end where the bridge was at first.
            await stage.gateway?.reload(try stage.configuration(stage.file))
            try await stage.record.next("bluefleet/bridge/attic/state") { $0["state"] == "online" }
        }
    }

    @Test func `readings are there again after the broker forgot them`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.record.message("bluefleet/climate/battery")
            let first = try await stage.retained()["bluefleet/climate/battery"]
            stage.broker.stop()
            try stage.broker.start()
            try await stage.record.message("bluefleet/climate/battery")
            #expect(first != nil)
            let second = try await stage.retained()["bluefleet/climate/battery"]
            #expect(first == second)
        }
    }
}
