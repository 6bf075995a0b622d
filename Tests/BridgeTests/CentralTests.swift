import EventLoop
import Foundation
import JSON
import Simulator
import System
import TestTraits
import Testing

/// The bridge with the features of the central: slots, restoration, the cache.
@Suite(.ownThreads) struct CentralTests {
    private static let both = Scenario.house(
        "climate:\n  address: C0:00:00:00:00:01\n\(Scenario.climate.indented(by: 2))\n\(Scenario.relay)")

    @Test func `a device without a free slot waits, reports the reason, and is connected later`() throws {
        let scenario = Self.both.with { $0.configuration = "bluetooth: {connections: 1}\n" + $0.configuration }
        try withFixture(scenario) { fixture in
            try await fixture.connection(of: "climate", "connected")
            try fixture.ask("relay/request/read", #"{"characteristic": "state"}"#)
            let waiting = try await fixture.recorder.next("bluefleet/relay/connection") {
                $0["state"] == "waiting" && $0["reason"] != nil
            }
            #expect(waiting["reason"] == "all 1 connections of hci0 are in use")
            try await fixture.request("climate/request/disconnect")
            #expect(try await fixture.response(to: "relay/request/read")["status"] == "ok")
            #expect(try await fixture.events(of: "relay").first == "connected")
        }
    }

    @Test func `a missing characteristic is reported once, and the others work`() throws {
        let scenario = Scenario.climate("connect: always").with {
            $0.configuration.replace("uuid: 2A6F", with: "uuid: 2A6D")
        }
        try withFixture(scenario) { fixture in
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "characteristic_missing"
            }
            #expect(event["characteristic"] == "humidity")
            // One connection with the cache, one without.
            #expect(try await fixture.events(of: "climate").count { $0 == "connected" } == 2)
            try await fixture.connection(of: "climate", "connected")
            try await fixture.event("subscribed 2A6E", of: "climate")
            try await fixture.direct { try $0.dropLink(of: "climate") }
            try await fixture.event("subscribed 2A6E", of: "climate", times: 2)
            try await fixture.connection(of: "climate", "connected")
            #expect(try await fixture.events(of: "climate").count { $0 == "connected" } == 3)
            let missing = fixture.recorder.all("bluefleet/bridge/attic/event").filter {
                $0.json?["type"] == "characteristic_missing"
            }
            #expect(missing.count == 1)
        }
    }

    @Test func `a cache that is out of date after an update of the device is cleared`() throws {
        let scenario = Scenario.climate("connect: always").with {
            $0.fleet.replace("advertise: {rssi: -61", with: "faults: [cache stale]\n    advertise: {rssi: -61")
        }
        try withFixture(scenario) { fixture in
            try await fixture.event("subscribed 2A6F", of: "climate")
            // The device returns with other handles.
            try await fixture.direct { scene in
                try scene.dropLink(of: "climate")
                try scene.changeAttributes(of: "climate")
                try scene.forgetEvents(of: "climate")
            }
            try await fixture.event("subscribed 2A6E", of: "climate")
            try await fixture.event("subscribed 2A6F", of: "climate")
            try await fixture.notify("6400", from: "2A6E", of: "climate")
            try await fixture.recorder.next("bluefleet/climate/temperature") { $0["value"]?.double == 1 }
            // One connection with the cache, one without.
            #expect(try await fixture.events(of: "climate").count { $0 == "connected" } == 2)
        }
    }

    @Test func `the bridge stores its known peripherals`() throws {
        try withFixture(.climate("connect: always")) { fixture in
            try await fixture.event("subscribed 2A6F", of: "climate")
            let file = "\(fixture.folder.path)/state/peripherals.json"
            // Only this file is left after a crash.
            try await fixture.until("the link is written down") { try Self.isConnected(in: file) ?? false }
            try await fixture.stopGateway()
            #expect(try Self.isConnected(in: file) == false)
        }
    }

    @Test(arguments: ["devices: {}", nil])
    func `connections of an earlier run that are not wanted are ended`(configuration: String?) throws {
        // The device was removed from the configuration, or its command has ended.
        try withFixture(.climate("connect: on demand")) { fixture in
            _ = try await fixture.request("climate/request/connect")
            try await fixture.stopGateway()
            let file = "\(fixture.folder.path)/state/peripherals.json"
            // The file as after a crash while the device was connected.
            try String(contentsOfFile: file, encoding: .utf8)
                .replacingAll("\"connected\":false", with: "\"connected\":true")
                .write(toFile: file, atomically: true, encoding: .utf8)
            try await fixture.callByAnother("Connect")
            try await fixture.startGateway(configuration)
            try await fixture.until("the end of the link") {
                try await !fixture.direct { try $0.isConnected("climate") }
            }
        }
    }

    @Test func `a connection that another program makes is used`() throws {
        let scenario = Scenario.climate("connect: always").with {
            // bluetoothd knows the device, but does not see it.
            $0.fleet.replace("advertise: {rssi: -61, every: 5ms}", with: "bonded: true\n    advertise: {every: 1h}")
        }
        try withFixture(scenario) { fixture in
            try await fixture.connection(of: "climate", "waiting")
            try await fixture.callByAnother("Connect")
            try await fixture.connection(of: "climate", "connected")
            try await fixture.event("subscribed 2A6E", of: "climate")
        }
    }

    private static func isConnected(in file: String) throws -> Bool? {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
        let known = try JSON(parsing: text)["peripherals"]?[0]
        return known?["address"] == "C0:00:00:00:00:01" ? known?["connected"]?.bool : nil
    }
}
