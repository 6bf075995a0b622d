import Bluetooth
import Contract
import Devices
import EventLoop
import JSON
import MQTT
import TestSupport
import TestTraits
import Testing

@testable import Bridge

/// Changes of devices at run time between one gateway and others, which the test plays.
@Suite(.ownThreads) struct SharedChangesTests {
    private static let scenario = Scenario(
        fleet: "seed: 1",
        """
        share: {only: [sensor, "w*"]}
        devices:
          sensor: {address: "54:48:E6:8F:80:A5", connect: never}
          barn: {address: "54:48:E6:8F:80:A6", connect: never}
        """)
    private static let topic = "bluefleet/bridge/attic/fleet/changes"
    private static let devices = "bluefleet/bridge/attic/devices"

    private static func address(_ number: Int) -> String { "C0:00:00:00:00:0\(number)" }

    private static func publish(
        _ content: JSON.Object, of address: String, _ number: Int, to fixture: Fixture
    ) {
        let change = FleetChanges.Change(
            revision: FleetRevision(number: number, gateway: "cellar"), content: content)
        let payload = FleetChanges(changes: [address: change]).json.description
        fixture.publish(Message("bluefleet/bridge/cellar/fleet/changes", Array(payload.utf8)))
    }

    private static func addition(_ name: String, _ number: Int, _ keys: JSON.Object = [:]) -> JSON.Object {
        let entry: JSON.Object = ["address": .string(address(number)), "connect": "never"]
        return ["added": ["name": .string(name), "entry": .object(entry.adding(keys))]]
    }

    private static func names(_ list: JSON) -> [String] {
        (list["devices"]?.array ?? []).compactMap { $0["name"]?.string }
    }

    @Test func `a change of another gateway is applied within the limits of requests`() throws {
        try withFixture(Self.scenario) { fixture in
            let long = JSON.string(String(repeating: "x", count: 17_000))
            let hasty: JSON = ["temperature": ["service": "181A", "uuid": "2A6E", "read": "1ms"]]
            let bad: [JSON.Object] = [
                Self.addition("w/long", 1, ["x-note": long]), Self.addition("w/#", 1), Self.addition("bridge/w", 1),
                Self.addition("w/key", 1, ["key_file": "/etc/shadow"]), Self.addition("w/other", 2),
                Self.addition("w/hasty", 1, ["connect": "always", "characteristics": hasty]),
                Self.addition("not shared", 1), ["added": "w/text"], Self.addition("w/unknown", 1, ["color": "red"]),
            ]
            for (number, content) in bad.enumerated() {
                Self.publish(content, of: Self.address(1), 10 + number, to: fixture)
            }
            Self.publish(["options": ["connect": "every 1ms"]], of: "54:48:E6:8F:80:A5", 30, to: fixture)
            Self.publish(["options": ["title": "Barn"]], of: "54:48:E6:8F:80:A6", 31, to: fixture)
            Self.publish(Self.addition("w/future", 4), of: Self.address(4), 2_000_000, to: fixture)
            Self.publish(Self.addition("window", 3), of: Self.address(3), 40, to: fixture)
            let list = try await fixture.recorder.next(Self.devices) { Self.names($0).contains("window") }
            #expect(Self.names(list) == ["barn", "sensor", "window"])
            #expect(list["devices"]?.array?.allSatisfy { $0["options"] == nil } == true)
            // An older change does not count.
            Self.publish([:], of: Self.address(3), 39, to: fixture)
            Self.publish(["removed": "sensor"], of: "54:48:E6:8F:80:A5", 41, to: fixture)
            let later = try await fixture.recorder.next(Self.devices) { !Self.names($0).contains("sensor") }
            #expect(Self.names(later) == ["barn", "window"])
        }
    }

    @Test func `a request is published with a greater revision, unless the device is not shared`() throws {
        try withFixture(Self.scenario) { fixture in
            Self.publish(Self.addition("window", 3), of: Self.address(3), 40, to: fixture)
            try await fixture.recorder.next(Self.devices) { Self.names($0).contains("window") }
            try await fixture.request(
                "bridge/attic/request/device/options", #"{"device":"barn","options":{"title":"Barn"}}"#)
            try await fixture.request(
                "bridge/attic/request/device/options", #"{"device":"window","options":{"title":"Window"}}"#)
            let message = try await fixture.recorder.next(Self.topic) { $0["changes"] != nil }
            let change = message["changes"]?[Self.address(3)]
            #expect(message["changes"]?.object?.count == 1)
            #expect(change?["revision"] == [41, "attic"])
            #expect(change?["content"]?["options"] == ["title": "Window"])
            #expect(change?["content"]?["added"]?["name"] == "window")
            try await fixture.request("bridge/attic/request/device/remove", #"{"device":"window"}"#)
            let removal = try await fixture.recorder.next(Self.topic) { $0["changes"] != nil }
            #expect(removal["changes"]?[Self.address(3)]?["revision"] == [42, "attic"])
            #expect(removal["changes"]?[Self.address(3)]?["content"]?["added"] == nil)
        }
    }

    @Test func `of two additions with one name, the later one counts, and an event reports it`() throws {
        try withFixture(Self.scenario) { fixture in
            let entry = #"{"device":"window","address":"\#(Self.address(3))","connect":"never"}"#
            try await fixture.request("bridge/attic/request/device/add", entry)
            Self.publish(Self.addition("window", 4), of: Self.address(4), 40, to: fixture)
            let event = try await fixture.recorder.next("bluefleet/bridge/attic/event") {
                $0["type"] == "device_conflict"
            }
            #expect(event["device"] == "window")
            let info = try await fixture.recorder.next("bluefleet/bridge/attic/devices") { list in
                list["devices"]?.array?.contains { $0["address"]?.string == Self.address(4) } == true
            }
            #expect(Self.names(info) == ["barn", "sensor", "window"])
        }
    }

    @Test func `the options of a removed device are part of its content`() throws {
        try withFixture(Self.scenario) { fixture in
            let (device, topic) = ("54:48:E6:8F:80:A5", Self.topic)
            try await fixture.request(
                "bridge/attic/request/device/options", #"{"device":"sensor","options":{"title":"Sensor"}}"#)
            try await fixture.recorder.next(topic) { $0["changes"] != nil }
            try await fixture.request("bridge/attic/request/device/remove", #"{"device":"sensor"}"#)
            let removal = try await fixture.recorder.next(topic) { $0["changes"] != nil }
            let content = removal["changes"]?[device]?["content"]
            #expect(content == ["removed": "sensor", "options": ["title": "Sensor"]])
            try await fixture.request("bridge/attic/request/device/add", #"{"device":"sensor"}"#)
            let restored = try await fixture.recorder.next(topic) { $0["changes"] != nil }
            #expect(restored["changes"]?[device]?["content"] == ["options": ["title": "Sensor"]])
        }
    }

    // MARK: Adopted devices

    /// A rule that adopts two thermometers: one with values, and one without.
    private static func thermometers(_ share: String) -> Scenario {
        Scenario(
            fleet: """
                peripherals:
                  talker:
                    address: 54:48:E6:8F:80:A5
                    name: Thermo
                    kind: public
                    advertise: {every: 20ms, connectable: false, service_data: {FCD2: [4002ca09]}}
                  mute:
                    address: C0:00:00:00:00:02
                    name: Thermo
                    advertise: {every: 20ms, connectable: false}
                """,
            """
            share: \(share)
            fleet: [{match: {name: "Thermo*"}, device: "w/{name}"}]
            """)
    }

    private static func adoption(_ name: String, _ number: Int) -> JSON.Object {
        var advertisement = Advertisement()
        advertisement.localName = "Thermo"
        let address = Address(0xC000_0000_0000 + UInt64(number))
        return ["adopted": AdoptedDevice(name: name, address: address, advertisement).json]
    }

    @Test func `an adopted device is passed on after its first value, and one without a value is not`() throws {
        try withFixture(Self.thermometers("true")) { fixture in
            let message = try await fixture.recorder.next(Self.topic) { $0["changes"] != nil }
            #expect(message["changes"]?.object?.map(\.name) == ["54:48:E6:8F:80:A5"])
            let change = message["changes"]?["54:48:E6:8F:80:A5"]
            #expect(change?["revision"] == [1, "attic"])
            #expect(change?["content"]?["adopted"]?["name"]?.string?.hasPrefix("w/Thermo") == true)
            // The other one gets a revision with the first request.
            let list = try await fixture.recorder.next(Self.devices) { Self.names($0).count == 2 }
            let mute = list["devices"]?.array?.first { $0["address"] == "C0:00:00:00:00:02" }?["name"]?.string
            let name = try #require(mute)
            try await fixture.request("bridge/attic/request/device/remove", #"{"device":"\#(name)"}"#)
            let removal = try await fixture.recorder.next(Self.topic) { $0["changes"] != nil }
            #expect(removal["changes"]?["C0:00:00:00:00:02"]?["content"] == ["removed": .string(name)])
        }
    }

    @Test func `a device that another gateway has adopted is managed here, if it is shared`() throws {
        let scenario = Self.thermometers(#"{only: ["w/*"]}"#).with { $0.fleet = "seed: 1" }
        try withFixture(scenario) { fixture in
            Self.publish(Self.adoption("barn/one", 1), of: Self.address(1), 10, to: fixture)
            Self.publish(Self.adoption("w/two", 2), of: Self.address(2), 11, to: fixture)
            // Of two devices with one name, the one with the smaller address keeps it.
            Self.publish(Self.adoption("w/two", 3), of: Self.address(3), 12, to: fixture)
            let list = try await fixture.recorder.next(Self.devices) { Self.names($0).count == 2 }
            #expect(Self.names(list) == ["w/two", "w/two_\(Self.address(3))"])
            #expect(list["devices"]?.array?.allSatisfy { $0["source"] == "adopted" } == true)
            Self.publish([:], of: Self.address(2), 13, to: fixture)
            let later = try await fixture.recorder.next(Self.devices) { Self.names($0).count == 1 }
            #expect(Self.names(later) == ["w/two"])
        }
    }

    @Test func `a device of another gateway replaces one without a value, at the maximum of adopted devices`() throws {
        let scenario = Self.thermometers("true").with {
            $0.fleet = "seed: 1"
            $0.hasGateway = false
        }
        try withFixture(scenario) { fixture in
            var advertisement = Advertisement()
            advertisement.localName = "Thermo"
            let adopted = (0..<Roster.mostAdopted).map { number in
                let address = Address(0xC100_0000_0000 + UInt64(number))
                return AdoptedDevice(name: "w/\(number)", address: address, advertisement)
            }
            var roster = Roster(["adopted": .array(adopted.map(\.json))])
            // All but one belong to all gateways.
            let names = Dictionary(uniqueKeysWithValues: adopted.dropFirst().map { ($0.address, $0.name) })
            roster.passOn(names, as: FleetRevision(number: 1, gateway: "attic"))
            try await RosterStore(in: fixture.folder.path("state")).save(roster)
            try await fixture.startGateway()
            Self.publish(Self.adoption("w/new", 2), of: Self.address(2), 10, to: fixture)
            let list = try await fixture.recorder.next(Self.devices) { Self.names($0).contains("w/new") }
            #expect(Self.names(list).count == Roster.mostAdopted && !Self.names(list).contains("w/0"))
            Self.publish(Self.adoption("w/newer", 3), of: Self.address(3), 11, to: fixture)
            Self.publish(["removed": "w/1"], of: "C1:00:00:00:00:01", 13, to: fixture)
            let later = try await fixture.recorder.next(Self.devices) { !Self.names($0).contains("w/1") }
            #expect(!Self.names(later).contains("w/newer"))
        }
    }
}
