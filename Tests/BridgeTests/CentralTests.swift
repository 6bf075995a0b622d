import EventLoop
import Foundation
import JSON
import Simulator
import Testing

/// What the bridge makes of the central's promises: slots, restoration, the cache.
@Suite struct CentralTests {
    private static let both = Script.house(
        "climate:\n  address: C0:00:00:00:00:01\n\(Script.climate.indented(by: 2))\n\(Script.relay)")

    @Test func `a device for which no connection is left waits, says why, and has its turn`() throws {
        let script = Self.both.with { $0.configuration = "bluetooth: {connections: 1}\n" + $0.configuration }
        try onStage(script) { _, stage in
            try await stage.connection(of: "climate", "connected")
            try stage.ask("relay/request/read", #"{"characteristic": "state"}"#)
            let waiting = try await stage.record.next("bluefleet/relay/connection") {
                $0["state"] == "waiting" && $0["reason"] != nil
            }
            #expect(waiting["reason"] == "all 1 connections of the adapter are in use")
            try await stage.request("climate/request/disconnect")
            #expect(try await stage.response(to: "relay/request/read")["status"] == "ok")
            #expect(try await stage.events(of: "relay").first == "connected")
        }
    }

    @Test func `what a device does not have is reported once, and the rest is used`() throws {
        let script = Script.climate("connect: always").with {
            $0.configuration.replace("uuid: 2A6F", with: "uuid: 2A6D")
        }
        try onStage(script) { _, stage in
            let event = try await stage.record.next("bluefleet/bridge/attic/event") {
                $0["type"] == "characteristic_missing"
            }
            #expect(event["characteristic"] == "humidity")
            // Once with what bluetoothd remembered, once without.
            #expect(try await stage.events(of: "climate").count { $0 == "connected" } == 2)
            try await stage.connection(of: "climate", "connected")
            try await stage.event("subscribed 2A6E", of: "climate")
            try await stage.direct { try $0.dropLink(of: "climate") }
            try await stage.event("subscribed 2A6E", of: "climate", times: 2)
            try await stage.connection(of: "climate", "connected")
            #expect(try await stage.events(of: "climate").count { $0 == "connected" } == 3)
            let missing = stage.record.all("bluefleet/bridge/attic/event").filter {
                $0.json?["type"] == "characteristic_missing"
            }
            #expect(missing.count == 1)
        }
    }

    @Test func `what bluetoothd remembers wrongly after an update of the device is cleared`() throws {
        let script = Script.climate("connect: always").with {
            $0.fleet.replace("advertise: {rssi: -61", with: "faults: [cache stale]\n    advertise: {rssi: -61")
        }
        try onStage(script) { _, stage in
            try await stage.event("subscribed 2A6F", of: "climate")
            // It comes back with other handles.
            try await stage.direct { scene in
                try scene.dropLink(of: "climate")
                try scene.changeAttributes(of: "climate")
                try scene.forgetEvents(of: "climate")
            }
            try await stage.event("subscribed 2A6E", of: "climate")
            try await stage.event("subscribed 2A6F", of: "climate")
            try await stage.notify("6400", from: "2A6E", of: "climate")
            try await stage.record.next("bluefleet/climate/temperature") { $0["value"]?.double == 1 }
            // Once with what bluetoothd remembered, once without.
            #expect(try await stage.events(of: "climate").count { $0 == "connected" } == 2)
        }
    }

    @Test func `the bridge remembers its peripherals`() throws {
        try onStage(.climate("connect: always")) { _, stage in
            try await stage.event("subscribed 2A6F", of: "climate")
            let file = "\(stage.folder.path)/state/peripherals.json"
            // After a crash, this is what is left.
            try await stage.until("the link is written down") { try Self.isConnected(in: file) ?? false }
            try await stage.stopGateway()
            #expect(try Self.isConnected(in: file) == false)
        }
    }

    @Test(arguments: ["devices: {}", nil])
    func `links that are no longer wanted are ended`(configuration: String?) throws {
        // Either the device was taken out of the configuration since, or the command that wanted it is over.
        try onStage(.climate("connect: on demand")) { _, stage in
            _ = try await stage.request("climate/request/connect")
            try await stage.stopGateway()
            let file = "\(stage.folder.path)/state/peripherals.json"
            // As after a crash with the link up.
            try String(contentsOfFile: file, encoding: .utf8)
                .replacing("\"connected\":false", with: "\"connected\":true")
                .write(toFile: file, atomically: true, encoding: .utf8)
            try await stage.callByAnother("Connect")
            try await stage.startGateway(configuration)
            try await stage.until("the end of the link") { try await !stage.direct { try $0.isConnected("climate") } }
        }
    }

    @Test func `a link that another program makes while the device is sought is used`() throws {
        let script = Script.climate("connect: always").with {
            // Known to bluetoothd, and not heard.
            $0.fleet.replace("advertise: {rssi: -61, every: 5ms}", with: "bonded: true\n    advertise: {every: 1h}")
        }
        try onStage(script) { _, stage in
            try await stage.connection(of: "climate", "waiting")
            try await stage.callByAnother("Connect")
            try await stage.connection(of: "climate", "connected")
            try await stage.event("subscribed 2A6E", of: "climate")
        }
    }

    private static func isConnected(in file: String) throws -> Bool? {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
        let known = try JSON(parsing: text)["peripherals"]?[0]
        return known?["address"] == "C0:00:00:00:00:01" ? known?["connected"]?.bool : nil
    }
}
