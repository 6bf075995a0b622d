import Bluetooth
import Contract
import EventLoop
import Foundation
import JSON
import MQTT
import Spool
import System
import TestSupport
import TestTraits
import Testing

@testable import Bridge

/// Values that wait on the disk while the broker is away.
@Suite(.ownThreads) struct LateTests {
    private let climate = Scenario.climate("connect: always").with {
        $0.configuration.replace("devices:", with: "spool: {keep: all, sync: 1s}\ndevices:")
    }

    /// Stops the broker, lets the device report values, and waits until they are on the disk.
    private func keep(_ values: [String], _ fixture: Fixture) async throws {
        try await fixture.event("subscribed 2A6E", of: "climate")
        fixture.broker.stop()
        for value in values { try await fixture.notify(value, from: "2A6E", of: "climate") }
        let gateway = try #require(fixture.gateway)
        try await fixture.until("values on the disk") {
            await gateway.spoolStatus.bytes > 0
        }
    }

    private func late(_ fixture: Fixture) -> [JSON] {
        fixture.recorder.all("bluefleet/bridge/attic/late/climate/temperature").compactMap(\.json)
    }

    @Test func `each value arrives once after an outage: the newest on its topic, the others late and in order`() throws
    {
        try withFixture(climate) { fixture in
            try await keep(["6408", "6508", "6608"], fixture)
            try fixture.broker.start()
            let finished = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "replay_finished"
            }
            let values = late(fixture)
            #expect(values.compactMap { $0["value"]?.double } == [21.48, 21.49])
            #expect(values.allSatisfy { $0["late"] == true && $0["unit"] == "°C" && $0["time"]?.string != nil })
            let ids = values.compactMap { $0["id"]?.int }
            #expect(ids.count == 2 && ids == ids.sorted() && Set(ids).count == 2)
            let newest = try #require(fixture.recorder.all("bluefleet/climate/temperature").last)
            #expect(newest.json?["value"] == 21.5)
            #expect(finished["dropped"] == 0)
        }
    }

    @Test func `values on the disk survive a gateway that ends without a broker`() throws {
        try withFixture(climate) { fixture in
            try await keep(["6408", "6508"], fixture)
            try await fixture.stopGateway()
            try fixture.broker.start()
            try await fixture.until("the retained messages") {
                _ = try await fixture.retained()
                return !fixture.recorder.all("the/end").isEmpty
            }
            try await fixture.startGateway()
            try await fixture.recorder.next("bluefleet/bridge/attic/event") { $0["type"] == "replay_finished" }
            let values = late(fixture).compactMap { $0["value"] }
            #expect(values.contains(21.48) && values.contains(21.49))
        }
    }

    @Test func `a file that cannot be used is reported at the start`() throws {
        try withFixture(climate.with { $0.hasGateway = false }) { fixture in
            let folder = fixture.folder.path + "/state/spool"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: folder + "/spool.db", withDestinationPath: "/nowhere")
            try await fixture.startGateway()
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "spool_failed"
            }
            #expect(event["reason"]?.string?.hasSuffix("spool.db: it is a symbolic link: remove it") == true)
        }
    }

    @Test func `a passkey is neither stored nor sent late`() throws {
        let scenario = climate.with {
            $0.fleet.replace("advertise: {rssi: -61", with: "pairing: display\n    advertise: {rssi: -61")
        }
        try withFixture(scenario) { fixture in
            try await keep(["6408"], fixture)
            let gateway = try #require(fixture.gateway)
            let passkey = try #require(Passkey(271_828))
            let lock = GatewayEvent.PairingPartner.device("lock")
            await gateway.publish(.passkeyDisplay(lock, passkey: passkey))
            await gateway.publish(.paired(lock))
            try await fixture.stopGateway()
            try fixture.broker.start()
            for file in ["spool/spool.db", "spool/spool.db-wal", "waiting.json"] {
                let bytes = FileManager.default.contents(atPath: "\(fixture.folder.path)/state/\(file)") ?? Data()
                #expect(bytes.range(of: Data("271828".utf8)) == nil)
            }
            try await fixture.startGateway()
            try await fixture.recorder.next("bluefleet/bridge/attic/late/event") { $0["type"] == "paired" }
            #expect(fixture.recorder.all("bluefleet/bridge/attic/pairing").isEmpty)
        }
    }

    @Test func `a stop removes what the broker has accepted from the disk before the file is closed`() throws {
        try withFixture(climate.with { $0.configuration.replace("sync: 1s", with: "sync: 1s, replay: 2") }) { fixture in
            try await keep(["6408", "6508", "6608", "6708", "6808"], fixture)
            try fixture.broker.start()
            let gateway = try #require(fixture.gateway)
            try await fixture.until("a late message") { await gateway.spoolStatus.replayed > 0 }
            await gateway.closeSpool()
            // The next start would send the remaining messages: none of them was accepted.
            let remaining = try SpoolContents(of: SpoolFolder.path(in: "\(fixture.folder.path)/state")).count
            #expect(await gateway.spoolStatus.replayed == 4 - remaining)
        }
    }

    @Test func `what a broker accepts that stood still is removed from the disk, and not sent again`() throws {
        try withFixture(climate) { fixture in
            let gateway = try #require(fixture.gateway)
            try await fixture.event("subscribed 2A6E", of: "climate")
            fixture.broker.freeze(true)
            for value in ["6408", "6508"] { try await fixture.notify(value, from: "2A6E", of: "climate") }
            try await fixture.until("values on the disk") { await gateway.spoolStatus.bytes > 0 }
            fixture.broker.freeze(false)
            try await fixture.waitForEmptyDisk(of: gateway)
            let values = fixture.recorder.all("bluefleet/climate/temperature").compactMap { $0.json?["value"]?.double }
            #expect(values.suffix(2) == [21.48, 21.49])
            #expect(late(fixture).isEmpty)
        }
    }

    @Test func `without a usable disk, values that wait are sent late from memory`() throws {
        try withFixture(climate.with { $0.hasGateway = false }) { fixture in
            // A file takes the place of the folder.
            try fixture.folder.write("{}", to: "state")
            try await fixture.startGateway()
            let gateway = try #require(fixture.gateway)
            try await fixture.event("subscribed 2A6E", of: "climate")
            fixture.broker.stop()
            for value in ["6408", "6508", "6608"] { try await fixture.notify(value, from: "2A6E", of: "climate") }
            try await fixture.until("a failed disk") { await gateway.spoolStatus.state == .failed }
            try fixture.broker.start()
            try await fixture.until("the late values") { late(fixture).count == 2 }
            #expect(late(fixture).compactMap { $0["value"]?.double } == [21.48, 21.49])
            #expect(fixture.recorder.all("bluefleet/climate/temperature").last?.json?["value"] == 21.5)
        }
    }

    @Test func `the request spool reports what waits, and removes it with drop`() throws {
        try withFixture(climate) { fixture in
            let gateway = try #require(fixture.gateway)
            try await keep(["6408", "6508"], fixture)
            #expect(await gateway.spoolStatus.state == .keeping)
            let status = try await gateway.dropSpool()
            #expect(status["waiting"] == 0 && status["state"] == "idle")
        }
    }

    private func stored(
        _ payload: String, isBare: Bool = false, corrected: Int64? = nil, isUncertain: Bool = false
    ) -> LateMessage {
        let record = SpoolRecord(
            broker: "b", topic: "d/t", payload: Array(payload.utf8), isBare: isBare,
            time: Timestamp(milliseconds: 1000), moment: Instant(nanoseconds: 0))
        return LateMessage(
            record: StoredRecord(
                id: 7, record: record, correctedTime: corrected.map { Timestamp(milliseconds: $0) },
                isTimeUncertain: isUncertain))
    }

    /// The key `at_least_every` publishes a reading again, and a shared device publishes readings that have waited.
    @Test func `a reading that was published long after its arrival keeps its time`() throws {
        try withOutageRig { home, rig in
            let file = SpoolFile(in: rig.folder.path("spool"), limits: SpoolLimits(freeSpace: 0))
            let publisher = try rig.publisher(1)
            let arrival = home.loop.timestamp
            home.loop.advance(by: .seconds(300))
            let record = SpoolRecord(rig.kept(1, time: arrival), of: publisher, .present(on: home.loop))
            home.loop.advance(by: .seconds(10))
            _ = await file.append([record], .present(on: home.loop))
            let stored = try await file.records(
                after: 0, of: publisher.spoolName, most: 1, .present(on: home.loop))
            #expect(stored.first.map { LateMessage(record: $0) }?.payload?.json["time"]?.string == "\(arrival)")
            await file.close()
        }
    }

    @Test func `LateMessage adds id and late, and corrects the time`() {
        let reading = #"{"value":1,"time":"1970-01-01T00:00:01.000Z"}"#
        #expect(
            stored(reading).payload?.json.description
                == #"{"value":1,"time":"1970-01-01T00:00:01.000Z","late":true,"id":7}"#)
        #expect(stored(reading, corrected: 2000).payload?.json["time"] == "1970-01-01T00:00:02.000Z")
        #expect(stored(reading, isUncertain: true).payload?.json["time_uncertain"] == true)
        #expect(stored("21.5", isBare: true).payload?.json["value"] == 21.5)
        #expect(stored("North 3", isBare: true).payload?.json["value"] == "North 3")
        #expect(stored("{\"value\":").payload == nil)
    }
}
