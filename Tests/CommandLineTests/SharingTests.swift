import EventLoop
import Foundation
import JSON
import TestSupport
import TestTraits
import Testing

/// Several built bridges with the same file: of all gateways that receive a sensor, one publishes it.
@Suite(.ownThreads) struct SharingTests {
    private func withRig(
        isOneAir: Bool = false, hasSeat: Bool = false,
        _ body: @escaping @Sendable (SharingRig) async throws -> Void
    ) throws {
        try EventLoop.run { home in
            let rig = try SharingRig(home.loop, isOneAir: isOneAir, hasSeat: hasSeat)
            do {
                try await body(rig)
            } catch {
                await rig.close()
                throw error
            }
            await rig.close()
        }
    }

    @Test func `the gateway with the best signal publishes a sensor, and another one after its end`() throws {
        try withRig { rig in
            for gateway in SharingRig.strengths.keys.sorted() { try rig.start(gateway) }
            try await rig.reading(of: "attic")
            try await rig.readings(20)
            #expect(rig.tellers == ["attic"])
            try await rig.until("connection") { rig.states["bluefleet/sensor/connection"]?["gateway"] == "attic" }
            let why = try #require(rig.states["bluefleet/sensor/connection"]?["why"]?.string)
            #expect(why.hasPrefix("-50 here"))
            rig.end("attic", SIGKILL)
            try await rig.reading(of: "cellar")
            try await rig.readings(20)
            #expect(rig.tellers == ["attic", "cellar"])
            #expect(rig.events["fleet_member_lost"]?.isDisjoint(with: ["attic"]) == true)
            rig.end("cellar", SIGTERM)
            try await rig.reading(of: "porch")
            try await rig.readings(20)
            #expect(rig.tellers == ["attic", "cellar", "porch"])
            try await rig.until("online") {
                rig.states["bluefleet/sensor/availability"]?["state"] == "online"
                    && rig.states["bluefleet/sensor/connection"]?["gateway"] == "porch"
            }
            let fleet = try await rig.fleet("porch")
            #expect(fleet["decider"] == "porch")
            #expect(fleet["members"] == ["porch"])
            #expect(fleet["devices"]?["sensor"]?["owner"] == "porch")
            // The first gateway gets the device back, because it receives it much better.
            try rig.start("attic")
            try await rig.reading(of: "attic")
            try await rig.readings(20)
            #expect(rig.tellers == ["attic", "cellar", "porch", "attic"])
        }
    }

    @Test func `with a seat, one gateway decides after another, and all hold their readings while etcd is away`() throws
    {
        try withRig(hasSeat: true) { rig in
            let etcd = try #require(rig.etcd)
            for gateway in SharingRig.strengths.keys.sorted() { try rig.start(gateway) }
            try await rig.reading(of: "attic")
            let decider = try #require(try await rig.fleet("attic")["decider"]?.string)
            #expect(try await rig.seatHolder()?.hasPrefix("\(decider) ") == true)
            let others = SharingRig.strengths.keys.filter { $0 != decider }.sorted()
            rig.forget(event: "fleet_decider")
            rig.end(decider, SIGKILL)
            try await rig.until("another decider") { rig.events["fleet_decider"]?.isSuperset(of: others) == true }
            let next = try #require(try await rig.fleet(others[0])["decider"]?.string)
            #expect(next != decider)
            #expect(try await rig.seatHolder()?.hasPrefix("\(next) ") == true)
            try await rig.readings(20)
            try rig.ask("sensor/request/rssi", [:])
            try await rig.until("a response") { rig.responses.count == 1 }

            etcd.kill()
            try await rig.until("seat_unreachable") { rig.events["seat_unreachable"] != nil }
            try await rig.silence()
            try etcd.start()
            try await rig.until("seat_reachable") { rig.events["seat_reachable"] != nil }
            try await rig.readings(20)
            // A decider that stops gives the seat back.
            let last = try #require(try await rig.fleet(others[0])["decider"]?.string)
            rig.end(last, SIGTERM)
            #expect(try await rig.seatHolder()?.hasPrefix("\(last) ") != true)
            try await rig.readings(20)
            #expect(rig.responses.count == 1)
        }
    }

    @Test func `a gateway without share that publishes shared devices is reported by their owner`() throws {
        try withRig { rig in
            try rig.start("attic")
            try rig.start("cellar")
            try await rig.reading(of: "attic")
            try rig.start("porch", isSharing: false)
            try await rig.until("unshared_gateway") { rig.events["unshared_gateway"]?.contains("attic") == true }
            #expect(rig.events["unshared_gateway"]?.contains("porch") == false)
        }
    }

    @Test func `a request to one gateway changes a device at all gateways, also at one that was away`()
        throws
    {
        try withRig { rig in
            for gateway in ["attic", "cellar"] { try rig.start(gateway) }
            try await rig.reading(of: "attic")
            let entry: JSON = ["device": "window", "address": "54:48:E6:8F:80:A6", "connect": "never"]
            #expect(try await rig.request("device/add", of: "cellar", entry)["status"] == "ok")
            // The gateway with the best signal owns the new device; on a busy machine, another one can own it before.
            try await rig.until("window of attic") { rig.gateways["bluefleet/window/temperature"] == "attic" }
            let renaming: JSON = ["device": "window", "to": "hall/window"]
            #expect(try await rig.request("device/rename", of: "attic", renaming)["status"] == "ok")
            try await rig.until("hall/window of cellar") { rig.devices(of: "cellar")["hall/window"] != nil }
            let options: JSON = ["device": "hall/window", "options": ["title": "Hall"]]
            #expect(try await rig.request("device/options", of: "cellar", options)["status"] == "ok")
            #expect(try await rig.request("device/remove", of: "attic", ["device": "lamp"])["status"] == "ok")
            try await rig.until("the title at attic") {
                rig.devices(of: "attic")["hall/window"]?["options"] == ["title": "Hall"]
            }
            try await rig.until("no lamp at cellar") { rig.devices(of: "cellar")["lamp"] == nil }

            try rig.start("porch")
            try await rig.until("hall/window of porch") {
                rig.devices(of: "porch")["hall/window"]?["options"] == ["title": "Hall"]
                    && rig.devices(of: "porch")["lamp"] == nil
            }
            rig.end("porch", SIGTERM)
            rig.forgetDevices(of: "porch")
            #expect(try await rig.request("device/remove", of: "cellar", ["device": "hall/window"])["status"] == "ok")
            #expect(try await rig.request("device/add", of: "cellar", ["device": "lamp"])["status"] == "ok")
            try rig.start("porch")
            for gateway in ["attic", "cellar", "porch"] {
                try await rig.until("no window, and the lamp of \(gateway)") {
                    let devices = rig.devices(of: gateway)
                    return devices["hall/window"] == nil && devices["lamp"] != nil
                }
            }
            #expect(rig.events["device_conflict"] == nil)
        }
    }

    @Test func `a gateway without Bluetooth decides before others, and owns no device`() throws {
        try withRig { rig in
            try rig.start("attic")
            try await rig.reading(of: "attic")
            try rig.startDecider("hall", like: "attic")
            try await rig.until("members") { try await rig.fleet("attic")["members"] == ["attic", "hall"] }
            rig.end("attic", SIGTERM)
            try rig.start("cellar")
            try await rig.reading(of: "cellar")
            let fleet = try await rig.fleet("hall")
            #expect(fleet["decider"] == "hall" && fleet["members"] == ["cellar", "hall"])
            #expect(fleet["devices"]?["sensor"]?["owner"] == "cellar")
            #expect(rig.gateways.values.allSatisfy { $0 != "hall" })
            try await rig.until("the relay") { rig.gateways["bluefleet/relay/battery_level"] == "cellar" }
            rig.forget(event: "fleet_decider")
            rig.end("hall", SIGKILL)
            try await rig.until("cellar decides") { rig.events["fleet_decider"] == ["cellar"] }
            try await rig.readings(20)
            #expect(rig.tellers.last == "cellar")
        }
    }

    @Test func `each request to a shared sensor has one response, also while its gateway fails`() throws {
        try withRig { rig in
            for gateway in SharingRig.strengths.keys.sorted() { try rig.start(gateway) }
            try await rig.reading(of: "attic")
            for number in 0..<10 { try rig.ask("sensor/request/rssi", ["transaction": .number(number)]) }
            for _ in 0..<3 { try rig.ask("sensor/request/rssi", [:]) }
            try rig.ask("sensor/request/dance", ["transaction": "unknown verb"])
            try await rig.until("14 responses") { rig.responses.count >= 14 }
            // The gateway reports the end of a request after its response.
            try await rig.readings(10)
            rig.end("attic", SIGKILL)
            try rig.ask("sensor/request/rssi", ["transaction": "without owner"])
            try await rig.until("15 responses") { rig.responses.count >= 15 }
            #expect(rig.responses.last?.json["transaction"] == "without owner")
            try await rig.reading(of: "cellar")
            for _ in 0..<3 { try rig.ask("sensor/request/rssi", [:]) }
            // Another response would arrive in the meantime.
            try await rig.readings(50)
            #expect(
                rig.responses.map(\.gateway) == Array(repeating: "attic", count: 14)
                    + Array(repeating: "cellar", count: 4))
            let isUnknown = rig.responses.map { $0.json["error"]?["code"] == "unknown_verb" }
            #expect(isUnknown.filter(\.self).count == 1)
        }
    }

    @Test func `the owner alone connects to a shared device, and another gateway after its end`() throws {
        try withRig { rig in
            let output = "bluefleet/relay/battery_level"
            for gateway in SharingRig.strengths.keys.sorted() { try rig.start(gateway) }
            try await rig.until("a value of attic") { rig.gateways[output] == "attic" }
            try await rig.until("online") { rig.states["bluefleet/relay/availability"]?["state"] == "online" }
            for value in 0..<5 { try rig.ask("lamp/output/set", .number(value)) }
            try await rig.until("5 responses") { rig.responses.count >= 5 }
            try await rig.readings(20)
            #expect(rig.responses.map(\.gateway) == Array(repeating: "attic", count: 5))
            #expect(rig.responses.allSatisfy { $0.json["status"] == "ok" || $0.json["error"]?["code"] == "superseded" })
            #expect(rig.gateways["bluefleet/lamp/connection"] == "attic")
            rig.end("attic", SIGKILL)
            try await rig.until("a value of cellar") { rig.gateways[output] == "cellar" }
            try rig.ask("lamp/output/get", [:])
            try await rig.until("6 responses") { rig.responses.count >= 6 }
            #expect(rig.responses.last?.json["status"] == "ok")
            rig.end("cellar", SIGTERM)
            try await rig.until("a value of porch") { rig.gateways[output] == "porch" }
            try await rig.until("online") {
                rig.states["bluefleet/relay/availability"]?["state"] == "online"
                    && rig.gateways["bluefleet/relay/availability"] == "porch"
            }
            #expect(rig.responses.count == 6)
        }
    }

    private static let battery = "bluefleet/relay/battery_level"

    @Test func `a gateway that starts again goes on with the connection of its killed process`() throws {
        try withRig(isOneAir: true) { rig in
            for gateway in ["attic", "cellar"] { try rig.start(gateway) }
            try await rig.until("a value of attic") { rig.counts[Self.battery]?["attic"] ?? 0 > 0 }
            rig.end("attic", SIGKILL)
            let count = rig.counts[Self.battery]?["attic"] ?? 0
            try rig.start("attic")
            try await rig.until("values of attic") { rig.counts[Self.battery]?["attic"] ?? 0 > count + 5 }
            // The device accepts one connection: another gateway would have connected after the end of the first one.
            #expect(rig.counts[Self.battery]?["cellar"] == nil)
        }
    }

    @Test func `release ends the connections of a killed gateway, so that another one connects`() throws {
        try withRig(isOneAir: true) { rig in
            for gateway in ["attic", "cellar"] { try rig.start(gateway) }
            try await rig.until("a value of attic") { rig.counts[Self.battery]?["attic"] ?? 0 > 0 }
            let refused = try rig.run("release", of: "attic")
            #expect(refused.status == 69 && refused.error.contains("is in use by process"))
            rig.end("attic", SIGKILL)
            try await rig.until("cellar owns the relay") { rig.gateways["bluefleet/relay/connection"] == "cellar" }
            try await rig.readings(20)
            #expect(rig.counts[Self.battery]?["cellar"] == nil)
            // The connections of other adapters belong to other gateways on the machine.
            let elsewhere = ["BLUEFLEET_BLUETOOTH_ADAPTERS": "[\"00:00:5E:00:53:0F\"]"]
            #expect(try rig.run("release", of: "attic", environment: elsewhere).status == 69)
            #expect(try rig.run("release", of: "attic").output == "disconnected: relay\n")
            try await rig.until("a value of cellar") { rig.counts[Self.battery]?["cellar"] ?? 0 > 0 }
            #expect(try rig.run("release", of: "attic").output == "no shared device is connected\n")
        }
    }

    @Test func `only the gateway with the bond connects to a bonded device, also after its return`() throws {
        try withRig(isOneAir: true) { rig in
            let (value, connection) = ("bluefleet/lock/state", "bluefleet/lock/connection")
            for gateway in ["attic", "cellar"] { try rig.start(gateway, hasLock: true) }
            try await rig.until("a value of attic") { rig.gateways[value] == "attic" }
            // The gateway that decides knows the reason.
            let decider = try await rig.fleet("attic")["decider"]?.string ?? "attic"
            while try await rig.fleet(decider)["devices"]?["lock"]?["why"] != "bonded here" {
                try await rig.readings(5)
            }
            rig.end("attic", SIGKILL)
            #expect(try rig.run("release", of: "attic").output.contains("lock"))
            let reason: JSON = "bonded with attic, which is offline"
            try await rig.until("cellar") { rig.gateways[connection] == "cellar" }
            try await rig.until("offline") { rig.states["bluefleet/lock/availability"]?["reason"] == reason }
            try rig.ask("lock/state/get", [:])
            try await rig.until("a response") { !rig.responses.isEmpty }
            #expect(rig.responses.map(\.json["error"]?["message"]) == ["lock: bonded with attic, which is offline"])
            #expect(rig.responses.map(\.gateway) == ["cellar"])
            try rig.start("attic", hasLock: true)
            try await rig.until("a connection of attic") {
                rig.gateways[connection] == "attic" && rig.states[connection]?["state"] == "connected"
            }
            #expect(rig.gateways[value] == "attic")
        }
    }

    @Test func `release does nothing without the key share`() throws {
        try Bluefleet.withFile("devices: {relay: {address: \"C0:00:00:00:00:01\"}}") { file in
            let outcome = try Bluefleet.run("release", file, "--bus", "unix:path=/nowhere", "--json")
            #expect(outcome.status == 0)
            #expect(outcome.output == "{\"disconnected\":[]}\n")
        }
    }

    @Test func `the second process with the name of a gateway publishes nothing, and its last will is corrected`()
        throws
    {
        try withRig { rig in
            let topic = "bluefleet/bridge/porch/"
            try rig.start("porch")
            try await rig.reading(of: "porch")
            let start = try #require(rig.messages.last { $0.topic == topic + "state" }?.json["start"])
            try rig.start("porch", key: "twin")
            try await rig.until("name_taken") { rig.events["name_taken"] != nil }
            #expect(try await rig.fleet("porch")["members"] == ["porch"])
            try await rig.readings(20)
            #expect(rig.messages.count { $0.topic == topic + "response/fleet" } == 1)
            #expect(rig.messages.filter { $0.topic == topic + "state" }.allSatisfy { $0.json["start"] == start })
            #expect(Set(rig.messages.filter { $0.topic == topic + "info" }.map(\.json["started"])).count == 1)
            rig.end("twin", SIGKILL)
            try await rig.until("the last will") {
                rig.messages.last { $0.topic == topic + "state" }?.json["start"] != start
            }
            try await rig.until("online") { rig.messages.last { $0.topic == topic + "state" }?.json["start"] == start }
            #expect(rig.messages.last { $0.topic == topic + "state" }?.json["state"] == "online")
        }
    }

    @Test func `the second process with the name of a gateway takes over after the end of the first one`() throws {
        try withRig { rig in
            try rig.start("porch")
            try await rig.reading(of: "porch")
            try rig.start("porch", key: "twin")
            try await rig.until("name_taken") { rig.events["name_taken"] != nil }
            rig.end("porch", SIGKILL)
            let count = rig.tellers.count
            try await rig.readings(5)
            #expect(rig.tellers.count == count)
            let states = rig.messages.filter { $0.topic == "bluefleet/bridge/porch/state" }
            #expect(states.last?.json["state"] == "online" && states.last?.json["start"] != states.first?.json["start"])
        }
    }

    private static let discovery = "homeassistant/device/bluefleet_5448e68f80a5/config"

    @Test func `Home Assistant gets the state of the owner and of the device as conditions, again from each new owner`()
        throws
    {
        try withRig { rig in
            for gateway in ["attic", "cellar"] { try rig.start(gateway) }
            try await rig.until("discovery of attic") { rig.gateways[Self.discovery] == "attic" }
            #expect(rig.states[Self.discovery]?["availability_mode"] == "all")
            rig.end("attic", SIGKILL)
            try await rig.reading(of: "cellar")
            try await rig.until("discovery of cellar") { rig.gateways[Self.discovery] == "cellar" }
            let topics = (rig.states[Self.discovery]?["availability"]?.array ?? []).map { $0["topic"] }
            #expect(topics == ["bluefleet/bridge/cellar/state", "bluefleet/sensor/availability"])
        }
    }
}
