import Contract
import EventLoop
import JSON
import MQTT
import Spool
import System
import TestSupport
import TestTraits
import Testing

@testable import Bridge

/// One gateway that shares a sensor: what it publishes, and what it removes from the broker.
@Suite(.ownThreads) struct SharedDeviceTests {
    private static func scenario(_ share: String) -> Scenario {
        Scenario(
            fleet: """
                peripherals:
                  sensor:
                    address: 54:48:E6:8F:80:A5
                    kind: public
                    advertise: {every: 20ms, connectable: false, rssi: -64, service_data: {FCD2: [4002ca09]}}
                """,
            """
            \(share)
            devices:
              sensor: {address: "54:48:E6:8F:80:A5", connect: never}
            """
        ).with { $0.homeAssistant = "discovery: device" }
    }

    private static let discovery = "homeassistant/device/bluefleet_5448e68f80a5/config"

    @Test func `without share, the state names no process, and a device has no owner`() throws {
        try withFixture(Self.scenario("")) { fixture in
            try await fixture.recorder.next("bluefleet/sensor/temperature")
            let connection = try await fixture.recorder.next("bluefleet/sensor/connection") { $0["rssi"] != nil }
            #expect(connection["gateway"] == nil)
            #expect(try await fixture.retained()["bluefleet/bridge/attic/state"] == #"{"state":"online"}"#)
            #expect(try await fixture.refusal("bridge/attic/request/fleet") == "not_supported")
            #expect(
                !fixture.recorder.messages.contains {
                    "\($0.topic)".contains("/fleet/") && "\($0.topic)".hasSuffix("report")
                })
        }
    }

    @Test func `the only gateway owns the device, publishes its end, and clears the topics of a removed one`() throws {
        try withFixture(Self.scenario("share: true")) { fixture in
            let state = try await fixture.retained()["bluefleet/bridge/attic/state"]
            #expect(try JSON(parsing: state ?? "")["connection"] == 1)
            // Before the first decision the gateway publishes nothing for the device.
            #expect(try await fixture.retained()["bluefleet/sensor/info"] == nil)
            try await fixture.recorder.next("bluefleet/sensor/temperature")
            let connection = try await fixture.recorder.next("bluefleet/sensor/connection") { $0["gateway"] != nil }
            #expect(connection["gateway"] == "attic")
            #expect(connection["why"] == "-64 here")
            try await fixture.availability(of: "sensor", "online")
            try await fixture.recorder.next(Self.discovery) { $0["components"] != nil }
            let fleet = try await fixture.request("bridge/attic/request/fleet")
            #expect(fleet["data"]?["devices"]?["sensor"]?["owner"] == "attic")
            fixture.file = "share: true"
            #expect(try await fixture.request("bridge/attic/request/reload")["data"]?["removed"] == ["sensor"])
            try await fixture.recorder.message(Self.discovery) { $0.payload.isEmpty }
            try await fixture.recorder.message("bluefleet/sensor/availability") { $0.payload.isEmpty }
            try await fixture.until("no retained topic") {
                try await fixture.retained().keys.allSatisfy { !$0.contains("sensor") && $0 != Self.discovery }
            }
        }
    }

    @Test func `a report of 3,000 devices is read, and a request of its length is rejected`() throws {
        try withFixture(Self.scenario("share: true")) { fixture in
            try await fixture.availability(of: "sensor", "online")
            var report = FleetReport(start: "77b0", number: 0, connection: 1)
            report.whole = FleetReport.Whole(rank: 200, roster: "5ad1", owned: [:])
            for number in 0..<3000 { report.signals["house/cellar/freezer/\(number)"] = FleetReport.Signal.none }
            try await fixture.until("cellar is a member") {
                report.number += 1
                let payload = Array(report.json.description.utf8)
                #expect(payload.count > 70_000)
                fixture.publish(Message("bluefleet/bridge/cellar/fleet/report", payload))
                let fleet = try await fixture.request("bridge/attic/request/fleet")
                return fleet["data"]?["members"] == ["attic", "cellar"]
            }
            let long = String(repeating: " ", count: 200_000) + "{}"
            #expect(try await fixture.refusal("sensor/request/rssi", long) == "bad_request")
        }
    }

    /// A sensor with another temperature in each packet: 0.00 °C, 0.01 °C and so on.
    private static func counting(_ spool: String) -> Scenario {
        let packets = (0..<3000).map { number in
            let digits = String(number & 0xFF, radix: 16), others = String(number >> 8, radix: 16)
            return "4002\(number & 0xFF < 16 ? "0" : "")\(digits)0\(others)"
        }
        return Scenario(
            fleet: """
                peripherals:
                  sensor:
                    address: 54:48:E6:8F:80:A5
                    kind: public
                    advertise:
                      every: 20ms
                      connectable: false
                      rssi: -64
                      service_data: {FCD2: [\(packets.joined(separator: ", "))]}
                """,
            """
            share: true
            spool: \(spool)
            devices:
              sensor: {address: "54:48:E6:8F:80:A5", connect: never, publish: {}}
            """)
    }

    private static func numbers(_ topic: String, _ fixture: Fixture) -> [Int] {
        fixture.recorder.all(topic).compactMap { message in
            (message.json?["value"]?.double).map { Int(($0 * 100).rounded()) }
        }
    }

    /// Stops the broker until advertisements of a time are on the disk in which another gateway could own the device.
    private func keepAdvertisements(_ fixture: Fixture) async throws {
        try await fixture.recorder.next("bluefleet/sensor/temperature")
        fixture.broker.stop()
        let gateway = try #require(fixture.gateway)
        try await fixture.until("advertisements on the disk") { await gateway.spoolStatus.waiting > 100 }
    }

    /// Waits until nothing is on the disk any more, and returns the numbers of the late advertisements.
    private func lateNumbers(_ fixture: Fixture) async throws -> [Int] {
        let gateway = try #require(fixture.gateway)
        try await fixture.waitForEmptyDisk(of: gateway)
        return Self.numbers("bluefleet/bridge/attic/late/sensor/temperature", fixture)
    }

    @Test func `with keep: all, each advertisement of an outage arrives once, most of them late`() throws {
        try withFixture(Self.counting("{keep: all, sync: 1s}")) { fixture in
            try await keepAdvertisements(fixture)
            try fixture.broker.start()
            let late = try await lateNumbers(fixture)
            let live = Self.numbers("bluefleet/sensor/temperature", fixture)
            #expect(late.count > 100 && Set(late).count == late.count)
            // The last reading is published again for a broker that may have lost it.
            #expect(Set(late).isDisjoint(with: live))
            let all = Set(late + live).sorted()
            let first = try #require(all.first), last = try #require(all.last)
            #expect(all == Array(first...last))
        }
    }

    @Test func `a gateway that ends in an outage keeps its advertisements, and publishes them after its next start`()
        throws
    {
        try withFixture(Self.counting("{keep: all, sync: 1s}")) { fixture in
            try await keepAdvertisements(fixture)
            try await fixture.stopGateway()
            let before = try SpoolContents(of: SpoolFolder.path(in: "\(fixture.folder.path)/state")).count
            try fixture.broker.start()
            try await fixture.startGateway()
            let late = try await lateNumbers(fixture)
            #expect(before > 100)
            #expect(late.count == before && Set(late).count == before)
        }
    }

    @Test func `a gateway that stops alone publishes that its shared devices are offline`() throws {
        try withFixture(Self.scenario("share: true")) { fixture in
            try await fixture.availability(of: "sensor", "online")
            try await fixture.stopGateway()
            try await fixture.availability(of: "sensor", "offline")
        }
    }
}
