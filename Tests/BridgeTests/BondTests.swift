import DBus
import EventLoop
import Foundation
import JSON
import Simulator
import Testing

/// Bonds: those that the configuration wants, those that somebody asks for, and those that are lost.
@Suite struct BondTests {
    /// The climate sensor, which is paired in some way, and whose humidity wants a bond.
    private static func climate(_ keys: String, pairing: String = "just works") -> Script {
        Script.climate(keys).with {
            $0.fleet.replace("advertise: {rssi: -61", with: "pairing: \(pairing)\n    advertise: {rssi: -61")
            $0.fleet.replace("uuid: humidity,", with: "uuid: humidity, bond: true,")
        }
    }

    private static let event = "bluefleet/bridge/attic/event"

    @discardableResult
    private static func event(_ type: String, _ stage: Stage) async throws -> JSON {
        try await stage.record.next(event) { $0["type"]?.string == type }
    }

    private static func count(_ type: String, _ stage: Stage) -> Int {
        stage.record.all(event).count { $0.json?["type"]?.string == type }
    }

    // MARK: By configuration

    @Test func `pair, true: there is a bond before anything else, and it is made once`() throws {
        try onStage(Self.climate("pair: true")) { _, stage in
            try await stage.event("subscribed 2A6F", of: "climate")
            #expect(try await stage.events(of: "climate").prefix(2) == ["connected", "paired"])
            try await Self.event("paired", stage)
            try await stage.direct { try $0.dropLink(of: "climate") }
            try await stage.event("subscribed 2A6F", of: "climate", times: 2)
            #expect(try await stage.events(of: "climate").count { $0 == "paired" } == 1)
        }
    }

    @Test func `who is bonded waits for the adapter that has the keys, and says so`() throws {
        let script = Self.climate("pair: true").with {
            let adapters = #"adapters: {hci0: {address: "00:00:5E:00:53:01"}, hci1: {address: "00:00:5E:00:53:02"}}"#
            $0.fleet = adapters + "\n" + $0.fleet
            $0.fleet.replace("advertise: {rssi: -61", with: "advertise: {rssi: -61, strengths: {hci0: -90, hci1: -50}")
        }
        try onStage(script) { _, stage in
            try await stage.event("subscribed 2A6F", of: "climate")
            let connected = try await stage.connection(of: "climate", "connected")
            let keeper = try #require(connected["adapter"]?.string)
            try await stage.direct { try $0.switchPower(of: keeper, on: false) }
            let connection = try await stage.record.next("bluefleet/climate/connection") {
                $0["state"] == "waiting" && $0["reason"]?.string?.contains("bond") == true
            }
            #expect(connection["reason"]?.string?.hasPrefix("its bond is with \(keeper) (") == true)
            try await stage.direct { try $0.switchPower(of: keeper, on: true) }
            try await stage.event("subscribed 2A6F", of: "climate", times: 2)
            #expect(try await stage.events(of: "climate").count { $0 == "paired" } == 1)
        }
    }

    @Test func `without pair, true: who is refused is told what to do, once, and the rest goes on`() throws {
        try onStage(Self.climate("connect: always")) { _, stage in
            let event = try await Self.event("bond_required", stage)
            #expect(event["device"] == "climate")
            #expect(event["characteristic"] == "humidity")
            #expect(event["remedy"] == "set pair: true")
            try await stage.event("subscribed 2A6E", of: "climate")
            try await stage.direct { try $0.dropLink(of: "climate") }
            try await stage.event("subscribed 2A6E", of: "climate", times: 2)
            #expect(Self.count("bond_required", stage) == 1)
            let error = try await stage.request("climate/humidity/get")["error"]
            #expect(error?["message"]?.string?.contains("bond") == true)
        }
    }

    @Test func `passkey_file: the passkey comes from a file`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = "\(folder.path)/passkey"
        try "012 345\n".write(toFile: file, atomically: true, encoding: .utf8)
        let script = Self.climate("pair: true\npasskey_file: \(file)", pairing: "passkey 12345")
        try onStage(script) { _, stage in
            try await stage.event("subscribed 2A6F", of: "climate")
            try await Self.event("paired", stage)
        }
    }

    @Test func `a bond that is not to be had is reported once, with what to do`() throws {
        try onStage(Self.climate("pair: true", pairing: "passkey 123456")) { _, stage in
            let event = try await Self.event("pairing_failed", stage)
            #expect(event["reason"]?.string?.contains("passkey") == true)
            let connection = try await stage.record.next("bluefleet/climate/connection") {
                $0["state"] == "waiting" && $0["reason"] != nil
            }
            #expect(connection["reason"]?.string?.contains("passkey") == true)
            try await stage.event("connected", of: "climate", times: 2)
            #expect(Self.count("pairing_failed", stage) == 1)
            #expect(try await stage.events(of: "climate").allSatisfy { ["connected", "disconnected"].contains($0) })
        }
    }

    @Test func `a file without a passkey is named`() throws {
        let script = Self.climate("pair: true\npasskey_file: /nowhere/passkey")
        try onStage(script) { _, stage in
            let event = try await Self.event("pairing_failed", stage)
            #expect(event["reason"]?.string?.contains("/nowhere/passkey") == true)
        }
    }

    // MARK: On request

    @Test func `pair and unpair on request`() throws {
        try onStage(Self.climate("connect: on demand", pairing: "passkey 123456")) { _, stage in
            let request = #"{"device": "climate", "passkey": 123456, "transaction": 1}"#
            let response = try await stage.request("bridge/attic/request/pair", request)
            #expect(response["status"] == "ok")
            #expect(response["transaction"] == 1)
            #expect(response["data"]?["bonded"] == true)
            #expect(try await stage.refusal("climate/humidity/get") == nil)
            let ended = try await stage.request("bridge/attic/request/unpair", #"{"address": "C0:00:00:00:00:01"}"#)
            #expect(ended["data"]?["bonded"] == false)
            try await Self.event("unpaired", stage)
            #expect(try await stage.refusal("bridge/attic/request/unpair", #"{"device": "climate"}"#) == "not_found")
            #expect(try await stage.refusal("climate/humidity/get") == "failed")
        }
    }

    @Test func `what was refused for want of a bond is subscribed to and read as soon as there is one`() throws {
        let script = Self.climate("connect: always").with {
            $0.fleet.replace("uuid: battery_level,", with: "uuid: battery_level, bond: true,")
            // Long enough for everything to be refused on the link that is made for the pairing.
            $0.fleet.replace("pair: 1ms", with: "pair: 300ms")
        }
        try onStage(script) { _, stage in
            try await stage.event("subscribed 2A6E", of: "climate")
            for name in ["humidity", "battery"] { #expect(try await stage.refusal("climate/\(name)/get") == "failed") }
            #expect(try await stage.request("bridge/attic/request/pair", #"{"device": "climate"}"#)["status"] == "ok")
            try await stage.event("subscribed 2A6F", of: "climate")
            #expect(try await stage.record.next("bluefleet/climate/battery")["value"] == 93)
            let events = try await stage.events(of: "climate")
            #expect(events.count { $0 == "connected" } == 2)
            #expect(events.count { $0 == "subscribed 2A6E" } == 2)
        }
    }

    @Test func `what was refused is asked for again when another program has made the bond`() throws {
        try onStage(Self.climate("connect: always")) { _, stage in
            try await stage.event("subscribed 2A6E", of: "climate")
            #expect(try await stage.refusal("climate/humidity/get") == "failed")
            try await stage.callByAnother("Pair")
            try await stage.event("subscribed 2A6F", of: "climate")
            #expect(try await stage.events(of: "climate").count { $0 == "connected" } == 1)
        }
    }

    @Test func `a passkey that the device shows is asked for, and a second request brings it`() throws {
        try onStage(Self.climate("connect: on demand", pairing: "passkey 123456")) { _, stage in
            try stage.ask("bridge/attic/request/pair", #"{"device": "climate"}"#)
            #expect(try await Self.event("passkey_request", stage)["device"] == "climate")
            let request = #"{"device": "climate", "passkey": "123 456"}"#
            #expect(try await stage.request("bridge/attic/request/pair", request)["status"] == "ok")
            #expect(try await stage.response(to: "bridge/attic/request/pair")["status"] == "ok")
        }
    }

    @Test(arguments: ["connect: on demand", "connect: always"])
    func `bluetoothd 5.82: the passkey is asked for on a link that was made for it`(_ connect: String) throws {
        var script = Self.climate(connect, pairing: "passkey 123456")
        script.fleet = "bluetoothd: 5.82\n" + script.fleet
        try onStage(script) { _, stage in
            try stage.ask("bridge/attic/request/pair", #"{"device": "climate"}"#)
            #expect(try await Self.event("passkey_request", stage)["device"] == "climate")
            let request = #"{"device": "climate", "passkey": "123 456"}"#
            #expect(try await stage.request("bridge/attic/request/pair", request)["status"] == "ok")
            #expect(try await stage.response(to: "bridge/attic/request/pair")["status"] == "ok")
            try await Self.event("paired", stage)
        }
    }

    @Test func `numbers are compared by somebody, or there is no bond`() throws {
        try onStage(Self.climate("connect: on demand", pairing: "compare 004711")) { _, stage in
            try stage.ask("bridge/attic/request/pair", #"{"device": "climate"}"#)
            #expect(try await Self.event("confirm", stage)["number"] == "004711")
            try stage.ask("bridge/attic/request/pair", #"{"device": "climate", "passkey": "004712"}"#)
            #expect(try await stage.response(to: "bridge/attic/request/pair")["error"]?["code"] == "failed")
            #expect(try await stage.response(to: "bridge/attic/request/pair")["error"]?["code"] == "failed")
            let request = #"{"device": "climate", "passkey": 4711}"#
            #expect(try await stage.request("bridge/attic/request/pair", request)["status"] == "ok")
        }
    }

    @Test func `a passkey for the device's keyboard is shown`() throws {
        try onStage(Self.climate("connect: on demand", pairing: "display")) { _, stage in
            let response = try await stage.request("bridge/attic/request/pair", #"{"device": "climate"}"#)
            #expect(response["status"] == "ok")
            #expect(try await Self.event("passkey_display", stage)["passkey"]?.string?.utf8.count == 6)
        }
    }

    @Test func `a device that nobody has configured is paired with, and let go`() throws {
        try onStage(.house("climate: {address: C0:00:00:00:00:01}")) { _, stage in
            let relay = #"{"address": "C0:00:00:00:00:05"}"#
            #expect(try await stage.request("bridge/attic/request/pair", relay)["data"]?["bonded"] == true)
            try await stage.event("disconnected", of: "relay")
            #expect(try await stage.events(of: "relay") == ["connected", "paired", "disconnected"])
            #expect(try await stage.refusal("bridge/attic/request/unpair", relay) == nil)
            #expect(try await stage.refusal("bridge/attic/request/unpair", relay) == "not_found")
        }
    }

    @Test func `a stranger that is looked through while it is being paired with is not let go`() throws {
        let script = Script.house("climate: {address: C0:00:00:00:00:01}").with {
            let address = "address: C0:00:00:00:00:05"
            $0.fleet.replace(address, with: "\(address)\n    pairing: passkey 123456")
        }
        try onStage(script) { _, stage in
            let relay = #"{"address": "C0:00:00:00:00:05"}"#
            try stage.ask("bridge/attic/request/pair", relay)
            #expect(try await Self.event("passkey_request", stage)["address"] == "C0:00:00:00:00:05")
            #expect(try await stage.request("bridge/attic/request/inspect", relay)["status"] == "ok")
            let answer = #"{"address": "C0:00:00:00:00:05", "passkey": "123456"}"#
            #expect(try await stage.request("bridge/attic/request/pair", answer)["status"] == "ok")
            #expect(try await stage.response(to: "bridge/attic/request/pair")["status"] == "ok")
            try await stage.event("disconnected", of: "relay")
            let events = try await stage.events(of: "relay").filter { !$0.hasPrefix("read") }
            #expect(events == ["connected", "paired", "disconnected"])
        }
    }

    @Test func `what cannot be understood or found is refused`() throws {
        let mistakes = [
            ("", "bad_request"), ("[]", "bad_request"), (#"{"device": 7}"#, "bad_request"),
            (#"{"address": "C0:00"}"#, "bad_request"), (#"{"address": 5}"#, "bad_request"),
            (#"{"device": "climate", "address": "C0:00:00:00:00:01"}"#, "bad_request"),
            (#"{"device": "nobody"}"#, "unknown_device"),
        ]
        try onStage(
            Self.climate("connect: never").with {
                $0.configuration = "devices: {climate: {address: C0:00:00:00:00:01, connect: never}}"
            }
        ) { _, stage in
            for (payload, code) in mistakes {
                for verb in ["pair", "unpair"] {
                    #expect(try await stage.refusal("bridge/attic/request/\(verb)", payload) == code, "\(payload)")
                }
            }
            for passkey in ["1000000", "-1", #""12a""#, #""12""#, #""1234567""#, "true", "[]", "1.5"] {
                let request = #"{"address": "C0:00:00:00:00:05", "passkey": \#(passkey)}"#
                #expect(try await stage.refusal("bridge/attic/request/pair", request) == "bad_request", "\(passkey)")
            }
            #expect(
                try await stage.refusal("bridge/attic/request/pair", #"{"device": "climate"}"#) == "not_supported")
            let absent = #"{"address": "C0:00:00:00:00:99", "ttl": "20ms"}"#
            #expect(try await stage.refusal("bridge/attic/request/pair", absent) == "expired")
            try await stage.direct { try $0.switchPower(of: "hci0", on: false) }
            try await stage.record.next("bluefleet/bridge/attic/info") { $0["bluetooth"] == "poweredOff" }
            #expect(try await stage.refusal("bridge/attic/request/pair", absent) == "bluetooth_off")
            #expect(try await stage.refusal("bridge/attic/request/unpair", absent) == "bluetooth_off")
        }
    }

    @Test func `a request that is open when the gateway stops is answered`() throws {
        try onStage(.house("climate: {address: C0:00:00:00:00:01}")) { _, stage in
            try stage.ask("bridge/attic/request/pair", #"{"address": "C0:00:00:00:00:99"}"#)
            // Answered at once, and after the other has begun.
            #expect(try await stage.refusal("bridge/attic/request/pair", "[]") == "bad_request")
            try await stage.stopGateway()
            #expect(try await stage.response(to: "bridge/attic/request/pair")["error"]?["code"] == "failed")
        }
    }

    // MARK: Lost

    @Test func `a device that has forgotten its keys is paired with anew`() throws {
        try onStage(Self.climate("pair: true")) { _, stage in
            try await stage.event("subscribed 2A6F", of: "climate")
            try await stage.direct { scene in
                try scene.forgetBonds(of: "climate")
                try scene.dropLink(of: "climate")
            }
            let event = try await Self.event("bond_lost", stage)
            #expect(event["renewed"] == true)
            try await stage.event("paired", of: "climate", times: 2)
            try await stage.event("subscribed 2A6F", of: "climate", times: 2)
            #expect(Self.count("bond_lost", stage) == 1)
        }
    }

    @Test func `a bond that nobody configured is not replaced, and its loss is told once`() throws {
        let script = Self.climate("connect: always").with {
            $0.fleet.replace("mtu: 247", with: "mtu: 247\n    bonded: true")
        }
        try onStage(script) { _, stage in
            try await stage.event("subscribed 2A6F", of: "climate")
            try await stage.direct { scene in
                try scene.forgetBonds(of: "climate")
                try scene.dropLink(of: "climate")
            }
            let event = try await Self.event("bond_lost", stage)
            #expect(event["renewed"] == false)
            try await stage.connection(of: "climate", "waiting")
            #expect(try await stage.events(of: "climate").allSatisfy { $0 != "paired" })
        }
    }

    @Test func `a bond that bluetoothd has forgotten is made again`() throws {
        try onStage(Self.climate("pair: true")) { _, stage in
            try await stage.event("subscribed 2A6F", of: "climate")
            let other = try await Connection.open(stage.busAddress, loop: stage.loop)
            _ = try await other.call(
                Message(
                    call: "RemoveDevice", on: "org.bluez.Adapter1", at: "/org/bluez/hci0", of: "org.bluez",
                    [.objectPath("/org/bluez/hci0/dev_C0_00_00_00_00_01")]))
            await other.close()
            try await stage.event("paired", of: "climate", times: 2)
            try await stage.event("subscribed 2A6F", of: "climate", times: 2)
        }
    }

    @Test func `a bond that does not help is made anew once, not in a loop`() throws {
        let script = Self.climate("pair: true").with {
            $0.fleet.replace(
                "uuid: battery_level, flags: [read, notify],",
                with: "uuid: battery_level, flags: [read, notify], read_error: 0x05,")
        }
        try onStage(script) { _, stage in
            #expect(try await Self.event("bond_lost", stage)["renewed"] == true)
            let event = try await Self.event("bond_required", stage)
            #expect(event["remedy"]?.string?.contains("passkey_file") == true)
            try await stage.event("subscribed 2A6F", of: "climate", times: 1)
            try await stage.connection(of: "climate", "connected")
            #expect(try await stage.refusal("climate/battery/get") == "failed")
            try await stage.direct { try $0.dropLink(of: "climate") }
            try await stage.event("connected", of: "climate", times: 3)
            #expect(try await stage.refusal("climate/battery/get") == "failed")
            #expect(try await stage.events(of: "climate").count { $0 == "paired" } == 2)
        }
    }

    @Test func `a command that the lost bond had refused is carried out with the new one`() throws {
        let script = Self.climate("pair: true\nconnect: on demand").with {
            $0.configuration.replace(
                "humidity: {service: 181A, uuid: 2A6F, subscribe: true}", with: "humidity: {service: 181A, uuid: 2A6F}")
            $0.configuration.replace(", read: 1h", with: "")
        }
        try onStage(script) { _, stage in
            #expect(try await stage.refusal("climate/humidity/get") == nil)
            // The device takes it for a stranger, though the link stays up.
            try await stage.direct { try $0.forgetBonds(of: "climate") }
            #expect(try await stage.refusal("climate/humidity/get") == nil)
            #expect(try await stage.events(of: "climate").count { $0 == "paired" } == 2)
        }
    }
}
