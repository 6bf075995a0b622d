import DBus
import EventLoop
import Foundation
import JSON
import Simulator
import System
import TestTraits
import Testing

/// Bonds: configured, requested and lost.
@Suite(.ownThreads) struct BondTests {
    /// The climate sensor with a kind of pairing; its humidity requires a bond.
    private static func climate(_ keys: String, pairing: String = "just works") -> Scenario {
        Scenario.climate(keys).with {
            $0.fleet.replace("advertise: {rssi: -61", with: "pairing: \(pairing)\n    advertise: {rssi: -61")
            $0.fleet.replace("uuid: humidity,", with: "uuid: humidity, bond: true,")
        }
    }

    private static let event = "bluefleet/bridge/attic/event"
    private static let pairing = "bluefleet/bridge/attic/pairing"

    @discardableResult
    private static func event(_ type: String, _ fixture: Fixture) async throws -> JSON {
        try await fixture.recorder.next(event) { $0["type"]?.string == type }
    }

    private static func count(_ type: String, _ fixture: Fixture) -> Int {
        fixture.recorder.all(event).count { $0.json?["type"]?.string == type }
    }

    // MARK: By configuration

    @Test func `pair, true: a device is bonded with once, before any other access`() throws {
        try withFixture(Self.climate("pair: true")) { fixture in
            try await fixture.event("subscribed 2A6F", of: "climate")
            #expect(try await fixture.events(of: "climate").prefix(2) == ["connected", "paired"])
            try await Self.event("paired", fixture)
            try await fixture.direct { try $0.dropLink(of: "climate") }
            try await fixture.event("subscribed 2A6F", of: "climate", times: 2)
            #expect(try await fixture.events(of: "climate").count { $0 == "paired" } == 1)
        }
    }

    @Test func `a bonded device waits for the adapter that has its keys, and reports it`() throws {
        let scenario = Self.climate("pair: true").with {
            let adapters = #"adapters: {hci0: {address: "00:00:5E:00:53:01"}, hci1: {address: "00:00:5E:00:53:02"}}"#
            $0.fleet = adapters + "\n" + $0.fleet
            $0.fleet.replace("advertise: {rssi: -61", with: "advertise: {rssi: -61, strengths: {hci0: -90, hci1: -50}")
        }
        try withFixture(scenario) { fixture in
            try await fixture.event("subscribed 2A6F", of: "climate")
            let connected = try await fixture.connection(of: "climate", "connected")
            let keeper = try #require(connected["adapter"]?.string)
            try await fixture.direct { try $0.switchPower(of: keeper, on: false) }
            let connection = try await fixture.recorder.next("bluefleet/climate/connection") {
                $0["state"] == "waiting" && $0["reason"]?.string?.contains("bond") == true
            }
            #expect(connection["reason"]?.string?.hasPrefix("the peripheral is bonded with \(keeper) (") == true)
            try await fixture.direct { try $0.switchPower(of: keeper, on: true) }
            try await fixture.event("subscribed 2A6F", of: "climate", times: 2)
            #expect(try await fixture.events(of: "climate").count { $0 == "paired" } == 1)
        }
    }

    @Test func `bonded devices that wait for an adapter that is unplugged connect when it is back, without a new bond`()
        throws
    {
        let scenario = Self.climate("pair: true")
        try withFixture(scenario) { fixture in
            try await fixture.event("subscribed 2A6F", of: "climate")
            try await fixture.direct { scene in
                try scene.switchAdvertising(of: "climate", on: false)
                try scene.dropLink(of: "climate")
            }
            try await fixture.connection(of: "climate", "waiting")
            try await fixture.direct { try $0.remove("hci0") }
            try await fixture.recorder.next("bluefleet/bridge/attic/info") { $0["bluetooth"] == "unsupported" }
            try await fixture.direct { scene in
                try scene.switchAdvertising(of: "climate", on: true)
                try scene.add("00:00:5E:00:53:01", as: "hci4")
            }
            try await fixture.recorder.next("bluefleet/climate/connection") {
                $0["state"] == "connected" && $0["adapter"] == "hci4"
            }
            try await fixture.event("subscribed 2A6F", of: "climate", times: 2)
            #expect(try await fixture.events(of: "climate").count { $0 == "paired" } == 1)
            #expect(Self.count("bond_lost", fixture) == 0)
        }
    }

    @Test func `without pair, true a refused characteristic is reported once, and the others work`() throws {
        try withFixture(Self.climate("connect: always")) { fixture in
            let event = try await Self.event("bond_required", fixture)
            #expect(event["device"] == "climate")
            #expect(event["characteristic"] == "humidity")
            #expect(event["remedy"] == "set pair: true")
            try await fixture.event("subscribed 2A6E", of: "climate")
            try await fixture.direct { try $0.dropLink(of: "climate") }
            try await fixture.event("subscribed 2A6E", of: "climate", times: 2)
            #expect(Self.count("bond_required", fixture) == 1)
            let error = try await fixture.request("climate/humidity/get")["error"]
            #expect(error?["message"]?.string?.contains("bond") == true)
        }
    }

    @Test func `passkey_file: the passkey comes from a file`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = "\(folder.path)/passkey"
        try "012 345\n".write(toFile: file, atomically: true, encoding: .utf8)
        let scenario = Self.climate("pair: true\npasskey_file: \(file)", pairing: "passkey 12345")
        try withFixture(scenario) { fixture in
            try await fixture.event("subscribed 2A6F", of: "climate")
            try await Self.event("paired", fixture)
        }
    }

    @Test func `a wrong passkey is reported with its file`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = "\(folder.path)/passkey"
        try "012 345\n".write(toFile: file, atomically: true, encoding: .utf8)
        let scenario = Self.climate("pair: true\npasskey_file: \(file)", pairing: "passkey 654321")
        try withFixture(scenario) { fixture in
            let event = try await Self.event("pairing_failed", fixture)
            #expect(event["reason"]?.string?.contains("passkey_file: \(file)") == true)
            let response = try await fixture.request("bridge/attic/request/pair", #"{"device": "climate"}"#)
            #expect(response["error"]?["message"]?.string?.contains("passkey_file: \(file)") == true)
        }
    }

    @Test func `a failed pairing is reported once, with a remedy`() throws {
        try withFixture(Self.climate("pair: true", pairing: "passkey 123456")) { fixture in
            let event = try await Self.event("pairing_failed", fixture)
            #expect(event["reason"]?.string?.contains("passkey") == true)
            let connection = try await fixture.recorder.next("bluefleet/climate/connection") {
                $0["state"] == "waiting" && $0["reason"] != nil
            }
            #expect(connection["reason"]?.string?.contains("passkey") == true)
            try await fixture.event("connected", of: "climate", times: 2)
            #expect(Self.count("pairing_failed", fixture) == 1)
            #expect(try await fixture.events(of: "climate").allSatisfy { ["connected", "disconnected"].contains($0) })
        }
    }

    @Test func `an invalid passkey file is reported with its name`() throws {
        let scenario = Self.climate("pair: true\npasskey_file: /nowhere/passkey")
        try withFixture(scenario) { fixture in
            let event = try await Self.event("pairing_failed", fixture)
            #expect(event["reason"]?.string?.contains("/nowhere/passkey") == true)
        }
    }

    // MARK: On request

    @Test func `pair and unpair make and remove a bond`() throws {
        try withFixture(Self.climate("connect: on demand", pairing: "passkey 123456")) { fixture in
            let request = #"{"device": "climate", "passkey": 123456, "transaction": 1}"#
            let response = try await fixture.request("bridge/attic/request/pair", request)
            #expect(response["status"] == "ok")
            #expect(response["transaction"] == 1)
            #expect(response["data"]?["bonded"] == true)
            #expect(try await fixture.refusal("climate/humidity/get") == nil)
            let ended = try await fixture.request("bridge/attic/request/unpair", #"{"address": "C0:00:00:00:00:01"}"#)
            #expect(ended["data"]?["bonded"] == false)
            try await Self.event("unpaired", fixture)
            #expect(try await fixture.refusal("bridge/attic/request/unpair", #"{"device": "climate"}"#) == "not_found")
            #expect(try await fixture.refusal("climate/humidity/get") == "failed")
        }
    }

    @Test func `refused characteristics are subscribed to and read as soon as there is a bond`() throws {
        let scenario = Self.climate("connect: always").with {
            $0.fleet.replace("uuid: battery_level,", with: "uuid: battery_level, bond: true,")
            // The pairing takes long enough for all refusals on its connection.
            $0.fleet.replace("pair: 1ms", with: "pair: 300ms")
        }
        try withFixture(scenario) { fixture in
            try await fixture.event("subscribed 2A6E", of: "climate")
            for name in ["humidity", "battery"] {
                #expect(try await fixture.refusal("climate/\(name)/get") == "failed")
            }
            #expect(try await fixture.request("bridge/attic/request/pair", #"{"device": "climate"}"#)["status"] == "ok")
            try await fixture.event("subscribed 2A6F", of: "climate")
            #expect(try await fixture.recorder.next("bluefleet/climate/battery")["value"] == 93)
            let events = try await fixture.events(of: "climate")
            #expect(events.count { $0 == "connected" } == 2)
            #expect(events.count { $0 == "subscribed 2A6E" } == 2)
        }
    }

    @Test func `refused characteristics are tried again after another program has made the bond`() throws {
        try withFixture(Self.climate("connect: always")) { fixture in
            try await fixture.event("subscribed 2A6E", of: "climate")
            #expect(try await fixture.refusal("climate/humidity/get") == "failed")
            try await fixture.callByAnother("Pair")
            try await fixture.event("subscribed 2A6F", of: "climate")
            #expect(try await fixture.events(of: "climate").count { $0 == "connected" } == 1)
        }
    }

    @Test func `a second request answers the question for the passkey`() throws {
        try withFixture(Self.climate("connect: on demand", pairing: "passkey 123456")) { fixture in
            try fixture.ask("bridge/attic/request/pair", #"{"device": "climate"}"#)
            #expect(try await Self.event("passkey_request", fixture)["device"] == "climate")
            let request = #"{"device": "climate", "passkey": "123 456"}"#
            #expect(try await fixture.request("bridge/attic/request/pair", request)["status"] == "ok")
            #expect(try await fixture.response(to: "bridge/attic/request/pair")["status"] == "ok")
        }
    }

    @Test(arguments: ["connect: on demand", "connect: always"])
    func `bluetoothd 5.82: the passkey is asked for on a new connection`(_ connect: String) throws {
        var scenario = Self.climate(connect, pairing: "passkey 123456")
        scenario.fleet = "bluetoothd: 5.82\n" + scenario.fleet
        try withFixture(scenario) { fixture in
            try fixture.ask("bridge/attic/request/pair", #"{"device": "climate"}"#)
            #expect(try await Self.event("passkey_request", fixture)["device"] == "climate")
            let request = #"{"device": "climate", "passkey": "123 456"}"#
            #expect(try await fixture.request("bridge/attic/request/pair", request)["status"] == "ok")
            #expect(try await fixture.response(to: "bridge/attic/request/pair")["status"] == "ok")
            try await Self.event("paired", fixture)
        }
    }

    @Test func `a numeric comparison needs a confirmation`() throws {
        try withFixture(Self.climate("connect: on demand", pairing: "compare 004711")) { fixture in
            try fixture.ask("bridge/attic/request/pair", #"{"device": "climate"}"#)
            let confirm = try await fixture.recorder.next(Self.pairing) { $0["type"] == "confirm" }
            #expect(confirm["number"] == "004711")
            try fixture.ask("bridge/attic/request/pair", #"{"device": "climate", "passkey": "004712"}"#)
            #expect(try await fixture.response(to: "bridge/attic/request/pair")["error"]?["code"] == "failed")
            #expect(try await fixture.response(to: "bridge/attic/request/pair")["error"]?["code"] == "failed")
            let request = #"{"device": "climate", "passkey": 4711}"#
            #expect(try await fixture.request("bridge/attic/request/pair", request)["status"] == "ok")
        }
    }

    @Test func `a passkey to enter on the device is published`() throws {
        try withFixture(Self.climate("connect: on demand", pairing: "display")) { fixture in
            let response = try await fixture.request("bridge/attic/request/pair", #"{"device": "climate"}"#)
            #expect(response["status"] == "ok")
            let display = try await fixture.recorder.next(Self.pairing) { $0["type"] == "passkey_display" }
            #expect(display["passkey"]?.string?.utf8.count == 6)
            #expect(Self.count("passkey_display", fixture) == 0)
        }
    }

    @Test func `an unmanaged peripheral is paired with and disconnected`() throws {
        try withFixture(.house("climate: {address: C0:00:00:00:00:01}")) { fixture in
            let relay = #"{"address": "C0:00:00:00:00:05"}"#
            #expect(try await fixture.request("bridge/attic/request/pair", relay)["data"]?["bonded"] == true)
            try await fixture.event("disconnected", of: "relay")
            #expect(try await fixture.events(of: "relay") == ["connected", "paired", "disconnected"])
            #expect(try await fixture.refusal("bridge/attic/request/unpair", relay) == nil)
            #expect(try await fixture.refusal("bridge/attic/request/unpair", relay) == "not_found")
        }
    }

    @Test func `an inspection of an unmanaged peripheral does not end its pairing`() throws {
        let scenario = Scenario.house("climate: {address: C0:00:00:00:00:01}").with {
            let address = "address: C0:00:00:00:00:05"
            $0.fleet.replace(address, with: "\(address)\n    pairing: passkey 123456")
        }
        try withFixture(scenario) { fixture in
            let relay = #"{"address": "C0:00:00:00:00:05"}"#
            try fixture.ask("bridge/attic/request/pair", relay)
            #expect(try await Self.event("passkey_request", fixture)["address"] == "C0:00:00:00:00:05")
            #expect(try await fixture.request("bridge/attic/request/inspect", relay)["status"] == "ok")
            let answer = #"{"address": "C0:00:00:00:00:05", "passkey": "123456"}"#
            #expect(try await fixture.request("bridge/attic/request/pair", answer)["status"] == "ok")
            #expect(try await fixture.response(to: "bridge/attic/request/pair")["status"] == "ok")
            try await fixture.event("disconnected", of: "relay")
            let events = try await fixture.events(of: "relay").filter { !$0.hasPrefix("read") }
            #expect(events == ["connected", "paired", "disconnected"])
        }
    }

    @Test func `invalid requests to pair are rejected`() throws {
        let mistakes = [
            ("", "bad_request"), ("[]", "bad_request"), (#"{"device": 7}"#, "bad_request"),
            (#"{"address": "C0:00"}"#, "bad_request"), (#"{"address": 5}"#, "bad_request"),
            (#"{"device": "climate", "address": "C0:00:00:00:00:01"}"#, "bad_request"),
            (#"{"device": "nobody"}"#, "unknown_device"),
        ]
        try withFixture(
            Self.climate("connect: never").with {
                $0.configuration = "devices: {climate: {address: C0:00:00:00:00:01, connect: never}}"
            }
        ) { fixture in
            for (payload, code) in mistakes {
                for verb in ["pair", "unpair"] {
                    #expect(try await fixture.refusal("bridge/attic/request/\(verb)", payload) == code, "\(payload)")
                }
            }
            for passkey in ["1000000", "-1", #""12a""#, #""12""#, #""1234567""#, "true", "[]", "1.5"] {
                let request = #"{"address": "C0:00:00:00:00:05", "passkey": \#(passkey)}"#
                #expect(try await fixture.refusal("bridge/attic/request/pair", request) == "bad_request", "\(passkey)")
            }
            #expect(
                try await fixture.refusal("bridge/attic/request/pair", #"{"device": "climate"}"#) == "not_supported")
            let absent = #"{"address": "C0:00:00:00:00:99", "ttl": "20ms"}"#
            #expect(try await fixture.refusal("bridge/attic/request/pair", absent) == "expired")
            try await fixture.direct { try $0.switchPower(of: "hci0", on: false) }
            try await fixture.recorder.next("bluefleet/bridge/attic/info") { $0["bluetooth"] == "poweredOff" }
            #expect(try await fixture.refusal("bridge/attic/request/pair", absent) == "bluetooth_off")
            #expect(try await fixture.refusal("bridge/attic/request/unpair", absent) == "bluetooth_off")
        }
    }

    @Test func `an open request to pair is answered when the gateway stops`() throws {
        try withFixture(.house("climate: {address: C0:00:00:00:00:01}")) { fixture in
            try fixture.ask("bridge/attic/request/pair", #"{"address": "C0:00:00:00:00:99"}"#)
            // This request is answered at once, after the other one has begun.
            #expect(try await fixture.refusal("bridge/attic/request/pair", "[]") == "bad_request")
            try await fixture.stopGateway()
            #expect(try await fixture.response(to: "bridge/attic/request/pair")["error"]?["code"] == "failed")
        }
    }

    @Test func `device/add rejects the identity address of another device`() throws {
        let fleet = """
            peripherals:
              phone:
                address: 40:00:00:00:00:04
                identity: 00:00:5E:00:53:A1
                advertise: {every: 5ms}
                pace: \(Scenario.hurry)
                services: [{uuid: 181A, characteristics: [{uuid: temperature, flags: [read], value: 21.53}]}]
            """
        let keys = "{address: 40:00:00:00:00:04, pair: true, characteristics: {temperature: {read: on connect}}}"
        try withFixture(Scenario(fleet: fleet, "devices:\n  phone: \(keys)")) { fixture in
            #expect(try await Self.event("identified", fixture)["identity"] == "00:00:5E:00:53:A1")
            let entry = #"{"device": "other", "address": "00:00:5E:00:53:A1"}"#
            let error = try await fixture.request("bridge/attic/request/device/add", entry)["error"]
            #expect(error?["code"] == "invalid_value")
            #expect(error?["message"]?.string?.hasSuffix("it is the identity address of device 'phone'") == true)
            // The device of the configuration file keeps its address while it is removed, also after a restart.
            _ = try await fixture.request("bridge/attic/request/device/remove", #"{"device": "phone"}"#)
            try await fixture.stopGateway()
            try await fixture.startGateway()
            let later = try await fixture.request("bridge/attic/request/device/add", entry)["error"]
            #expect(later?["code"] == "invalid_value")
        }
    }

    // MARK: Lost

    @Test func `a device that has lost its keys is paired with again`() throws {
        try withFixture(Self.climate("pair: true")) { fixture in
            try await fixture.event("subscribed 2A6F", of: "climate")
            try await fixture.direct { scene in
                try scene.forgetBonds(of: "climate")
                try scene.dropLink(of: "climate")
            }
            let event = try await Self.event("bond_lost", fixture)
            #expect(event["renewed"] == true)
            try await fixture.event("paired", of: "climate", times: 2)
            try await fixture.event("subscribed 2A6F", of: "climate", times: 2)
            #expect(Self.count("bond_lost", fixture) == 1)
        }
    }

    @Test func `a device that can be written gets no new bond without a request`() throws {
        let scenario = Self.climate("pair: true").with {
            $0.configuration.replace("uuid: 2A6F, subscribe: true", with: "uuid: 2A6F, subscribe: true, write: true")
        }
        try withFixture(scenario) { fixture in
            try await fixture.event("subscribed 2A6F", of: "climate")
            // The connection stays: a refused access reveals the loss.
            try await fixture.direct { try $0.forgetBonds(of: "climate") }
            #expect(try await fixture.refusal("climate/humidity/get") == "failed")
            let remedy = try await Self.event("bond_required", fixture)["remedy"]?.string
            #expect(remedy?.hasSuffix("send the requests unpair and pair") == true)
            // The next connection has no keys.
            try await fixture.direct { try $0.dropLink(of: "climate") }
            #expect(try await Self.event("bond_lost", fixture)["renewed"] == false)
            #expect(try await fixture.events(of: "climate").count { $0 == "paired" } == 1)
            #expect(
                try await fixture.request("bridge/attic/request/unpair", #"{"device": "climate"}"#)["status"] == "ok")
            try await fixture.event("paired", of: "climate", times: 2)
        }
    }

    @Test func `renew_bond, false: a device that has lost its keys gets no new bond without a request`() throws {
        try withFixture(Self.climate("pair: true\nrenew_bond: false")) { fixture in
            try await fixture.event("subscribed 2A6F", of: "climate")
            try await fixture.direct { scene in
                try scene.forgetBonds(of: "climate")
                try scene.dropLink(of: "climate")
            }
            #expect(try await Self.event("bond_lost", fixture)["renewed"] == false)
            try await fixture.connection(of: "climate", "waiting")
            #expect(try await fixture.events(of: "climate").count { $0 == "paired" } == 1)
            let device = #"{"device": "climate"}"#
            #expect(try await fixture.request("bridge/attic/request/unpair", device)["status"] == "ok")
            try await fixture.event("paired", of: "climate", times: 2)
        }
    }

    @Test func `a bond without the configured passkey is removed, and reported`() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let file = "\(folder.path)/passkey"
        try TextFile.write("012345\n", to: file)
        try withFixture(Self.climate("pair: true\npasskey_file: \(file)")) { fixture in
            let event = try await Self.event("pairing_failed", fixture)
            #expect(event["reason"]?.string?.contains("without the configured passkey") == true)
            try await fixture.recorder.next("bluefleet/climate/connection") {
                $0["state"] == "waiting" && $0["reason"]?.string?.contains("without the configured passkey") == true
            }
            #expect(Self.count("paired", fixture) == 0)
            // There is no bond to remove.
            let code = try await fixture.refusal("bridge/attic/request/unpair", #"{"device": "climate"}"#)
            #expect(code == "not_found")
        }
    }

    @Test func `a bond that is not configured is not renewed, and its loss is reported once`() throws {
        let scenario = Self.climate("connect: always").with {
            $0.fleet.replace("mtu: 247", with: "mtu: 247\n    bonded: true")
        }
        try withFixture(scenario) { fixture in
            try await fixture.event("subscribed 2A6F", of: "climate")
            try await fixture.direct { scene in
                try scene.forgetBonds(of: "climate")
                try scene.dropLink(of: "climate")
            }
            let event = try await Self.event("bond_lost", fixture)
            #expect(event["renewed"] == false)
            try await fixture.connection(of: "climate", "waiting")
            #expect(try await fixture.events(of: "climate").allSatisfy { $0 != "paired" })
        }
    }

    @Test func `a bond that bluetoothd has lost is made again`() throws {
        try withFixture(Self.climate("pair: true")) { fixture in
            try await fixture.event("subscribed 2A6F", of: "climate")
            let other = try await Connection.open(fixture.busAddress, loop: fixture.loop)
            _ = try await other.call(
                Message(
                    call: "RemoveDevice", on: "org.bluez.Adapter1", at: "/org/bluez/hci0", of: "org.bluez",
                    [.objectPath("/org/bluez/hci0/dev_C0_00_00_00_00_01")]))
            await other.close()
            try await fixture.event("paired", of: "climate", times: 2)
            try await fixture.event("subscribed 2A6F", of: "climate", times: 2)
        }
    }

    @Test func `an insufficient bond is renewed once`() throws {
        let scenario = Self.climate("pair: true").with {
            $0.fleet.replace(
                "uuid: battery_level, flags: [read, notify],",
                with: "uuid: battery_level, flags: [read, notify], read_error: 0x05,")
        }
        try withFixture(scenario) { fixture in
            #expect(try await Self.event("bond_lost", fixture)["renewed"] == true)
            let event = try await Self.event("bond_required", fixture)
            #expect(event["remedy"]?.string?.contains("passkey_file") == true)
            try await fixture.event("subscribed 2A6F", of: "climate", times: 1)
            try await fixture.connection(of: "climate", "connected")
            #expect(try await fixture.refusal("climate/battery/get") == "failed")
            try await fixture.direct { try $0.dropLink(of: "climate") }
            try await fixture.event("connected", of: "climate", times: 3)
            #expect(try await fixture.refusal("climate/battery/get") == "failed")
            #expect(try await fixture.events(of: "climate").count { $0 == "paired" } == 2)
        }
    }

    @Test func `a command that a lost bond refuses is executed with the new bond`() throws {
        let scenario = Self.climate("pair: true\nconnect: on demand").with {
            $0.configuration.replace(
                "humidity: {service: 181A, uuid: 2A6F, subscribe: true}", with: "humidity: {service: 181A, uuid: 2A6F}")
            $0.configuration.replace(", read: 1h", with: "")
        }
        try withFixture(scenario) { fixture in
            #expect(try await fixture.refusal("climate/humidity/get") == nil)
            // The device refuses access although the connection stays up.
            try await fixture.direct { try $0.forgetBonds(of: "climate") }
            #expect(try await fixture.refusal("climate/humidity/get") == nil)
            #expect(try await fixture.events(of: "climate").count { $0 == "paired" } == 2)
        }
    }

    @Test func `a command that a requested bond no longer allows fails at once`() throws {
        let scenario = Self.climate("connect: on demand").with {
            $0.configuration.replace(
                "humidity: {service: 181A, uuid: 2A6F, subscribe: true}", with: "humidity: {service: 181A, uuid: 2A6F}")
            $0.configuration.replace(", read: 1h", with: "")
        }
        try withFixture(scenario) { fixture in
            #expect(try await fixture.request("bridge/attic/request/pair", #"{"device": "climate"}"#)["status"] == "ok")
            try await fixture.direct { try $0.forgetBonds(of: "climate") }
            // The first refusal may be from before the bond: the command is executed again, on the same connection.
            #expect(try await fixture.refusal("climate/humidity/get", #"{"ttl": "20s"}"#) == "failed")
        }
    }
}
