import Bluetooth
import Configuration
import Contract
import JSON
import TestSupport
import Testing

@testable import Devices

/// The changes of devices by requests, as other gateways get them.
@Suite struct RosterChangesTests {
    private static let window = Address(0xC000_0000_0005)
    private static let door = Address(0xC000_0000_0006)

    private static func addition(_ name: String, _ address: Address = window) -> Roster.Addition {
        Roster.Addition(name: name, entry: ["address": .text(address)])
    }

    /// Returns a roster with one added device.
    private static func roster(adding name: String, _ address: Address = window) -> Roster {
        Roster(["added": [name: ["address": .text(address)]]])
    }

    private static func revision(_ number: Int, _ gateway: String = "attic") -> FleetRevision {
        FleetRevision(number: number, gateway: gateway)
    }

    /// Applies all changes of one roster to another one, if their revisions are greater.
    private static func merge(_ source: Roster, into target: inout Roster) {
        let changes = source.deviceChanges
        for (address, revision) in source.revisions where target.revisions[address].map({ $0 < revision }) ?? true {
            let content = (changes[address] ?? DeviceChange()).content
            guard let change = DeviceChange(content, of: address) else {
                Issue.record("not valid: \(content)")
                continue
            }
            target.apply(change, of: address, revision)
        }
    }

    @Test func `each change of a device reaches another roster`() {
        var roster = Roster([
            "added": ["window": ["address": .text(Self.window)]],
            "renamed": ["lamp": ["address": .text(Address(1)), "name": "desk"]],
            "removed": ["relay": .text(Address(2))], "identities": ["\(Address(2))": .text(Address(3))],
            "options": ["\(Address(1))": ["connect": "always"]],
        ])
        let revised = roster.revise(after: Roster(), as: Self.revision(1)) { _ in true }
        #expect(revised == [Address(1), Address(2), Self.window])
        var other = Roster(["renamed": ["lamp": ["address": .text(Address(1)), "name": "old"]]])
        Self.merge(roster, into: &other)
        #expect(other == roster)
        #expect(Roster(other.json) == roster)
        // The removal of an addition leaves its revision.
        var later = roster
        later.removeChanges(of: Self.window)
        #expect(later.revise(after: roster, as: Self.revision(2)) { _ in false } == [Self.window])
        Self.merge(later, into: &other)
        #expect(other.added == [])
        #expect(other == later)
        // An older change does not bring the device back.
        Self.merge(roster, into: &other)
        #expect(other == later)
    }

    @Test func `a device that is not shared gets no revision`() {
        var roster = Self.roster(adding: "window")
        #expect(roster.revise(after: Roster(), as: Self.revision(1)) { _ in false } == [])
        #expect(roster.revisions == [:])
        #expect(roster.json["revisions"] == nil)
        roster.reviseFormerChanges(of: "attic") { $0 == Self.window }
        #expect(roster.revisions == [Self.window: Self.revision(0)])
    }

    @Test func `of two additions with one name, the later one counts on each gateway`() {
        var attic = Self.roster(adding: "window")
        _ = attic.revise(after: Roster(), as: Self.revision(1)) { _ in true }
        var cellar = Self.roster(adding: "window", Self.door)
        _ = cellar.revise(after: Roster(), as: Self.revision(1, "cellar")) { _ in true }
        let before = attic
        Self.merge(cellar, into: &attic)
        Self.merge(before, into: &cellar)
        #expect(attic == cellar)
        #expect(attic.added == [Self.addition("window", Self.door)])
    }

    // MARK: Adopted devices

    private static func adopted(_ name: String, _ address: Address) -> AdoptedDevice {
        AdoptedDevice(name: name, address: address, Advertisement())
    }

    /// Returns a roster with adopted devices, in this order.
    private static func roster(adopting devices: [AdoptedDevice]) -> Roster {
        Roster(["adopted": .array(devices.map(\.json))])
    }

    /// Returns the reader of a configuration with a fleet rule for these devices.
    private static func entries() throws -> EntryReader {
        EntryReader(try Configuration(yaml: "fleet: [{match: {address: \"C0:*\"}}]"))
    }

    @Test func `an adopted device reaches another roster only after it was passed on`() throws {
        var roster = Self.roster(adopting: [Self.adopted("Sensor", Self.window), Self.adopted("Sensor", Self.door)])
        roster.reviseFormerChanges(of: "attic") { _ in true }
        #expect(roster.revisions == [:])
        #expect(roster.ownAdoptions == roster.adopted)
        roster.passOn([Self.door: "Sensor_C0:00:00:00:00:06"], as: Self.revision(1))
        #expect(roster.ownAdoptions.map(\.address) == [Self.window])
        var other = Self.roster(adopting: [Self.adopted("Sensor", Self.door)])
        Self.merge(roster, into: &other)
        #expect(other.adopted == [Self.adopted("Sensor_C0:00:00:00:00:06", Self.door)])
        #expect(other.ownAdoptions == [])
        // Its end reaches the other roster too.
        var later = roster
        let configuration = try Self.entries().configuration
        let door = configuration.fleet.device(of: other.adopted[0])
        later.remove(try #require(door), identity: nil, with: configuration)
        #expect(later.revise(after: roster, as: Self.revision(2)) { _ in false } == [Self.door])
        Self.merge(later, into: &other)
        #expect(other.adopted == [])
    }

    @Test func `a request passes an adopted device on, with its options`() throws {
        let entries = try Self.entries()
        var roster = Self.roster(adopting: [Self.adopted("Sensor", Self.window)])
        let before = roster
        let device = entries.configuration.fleet.device(of: before.adopted[0])
        _ = try roster.setOptions(of: #require(device), changedBy: ["title": "Window"], listed: [], entries)
        #expect(roster.revise(after: before, as: Self.revision(1)) { _ in true } == [Self.window])
        var other = Roster()
        Self.merge(roster, into: &other)
        #expect(other == roster)
    }

    @Test func `options from another gateway do not end an adoption that only this one has`() {
        var attic = Self.roster(adopting: [Self.adopted("Sensor", Self.window)])
        var cellar = Roster(["options": ["\(Self.window)": ["title": "Window"]]])
        _ = cellar.revise(after: Roster(), as: Self.revision(1, "cellar")) { _ in true }
        Self.merge(cellar, into: &attic)
        #expect(attic.adopted.count == 1)
        #expect(attic.options == cellar.options)
    }

    @Test func `of two adopted devices with one name, the same one keeps it on all gateways`() throws {
        let entries = try Self.entries()
        let devices = [Self.adopted("Sensor", Self.door), Self.adopted("Sensor", Self.window)]
        for adopted in [devices, devices.reversed()] {
            var roster = Self.roster(adopting: adopted)
            roster.passOn([Self.window: "Sensor", Self.door: "Sensor"], as: Self.revision(1))
            let outcome = roster.devices(entries)
            #expect(outcome.list.devices.map(\.name) == ["Sensor", "Sensor_C0:00:00:00:00:06"])
            #expect(outcome.conflicts.keys.sorted() == ["Sensor_C0:00:00:00:00:06"])
        }
        // A device that only this gateway has takes no name from the others.
        var roster = Self.roster(adopting: devices.reversed())
        roster.passOn([Self.door: "Sensor"], as: Self.revision(1))
        #expect(roster.devices(entries).list.devices.map(\.name) == ["Sensor", "Sensor_C0:00:00:00:00:05"])
    }

    @Test func `the oldest revisions of removed devices are forgotten`() {
        var roster = Roster(["options": ["\(Address(1))": ["title": "first"]]])
        _ = roster.revise(after: Roster(), as: Self.revision(1)) { _ in true }
        for number in 2..<1102 {
            let other = Roster(["revisions": ["\(Address(UInt64(number)))": Self.revision(number).json]])
            Self.merge(other, into: &roster)
        }
        #expect(roster.revisions.count == Roster.mostRemoved + 1)
        #expect(roster.revisions[Address(1)] != nil && roster.revisions[Address(2)] == nil)
    }

    @Test(arguments: [
        #"{"added":{"name":"window","entry":{"address":"C0:00:00:00:00:06"}}}"#,
        #"{"added":{"name":"window","entry":{}}}"#, #"{"added":"window"}"#, #"{"options":[]}"#, #"{"removed":1}"#,
        #"{"renamed":{"listed":"window"}}"#, #"{"identity":"window"}"#,
        #"{"adopted":{"name":"window","address":"C0:00:00:00:00:06"}}"#,
    ])
    func `a content that is not valid, or of another device, is rejected`(text: String) throws {
        let content = try #require(JSON(parsing: text).object)
        #expect(DeviceChange(content, of: Self.window) == nil)
    }
}
