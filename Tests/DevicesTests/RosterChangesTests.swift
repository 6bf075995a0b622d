import Bluetooth
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
        var roster = Roster()
        roster.added = [Self.addition("window")]
        roster.renamed["lamp"] = Roster.Renaming(address: Address(1), name: "desk")
        roster.removed["relay"] = Address(2)
        roster.identities[Address(2)] = Address(3)
        roster.options[Address(1)] = ["connect": "always"]
        let revised = roster.revise(after: Roster(), as: Self.revision(1)) { _ in true }
        #expect(revised == [Address(1), Address(2), Self.window])
        var other = Roster()
        other.renamed["lamp"] = Roster.Renaming(address: Address(1), name: "old")
        Self.merge(roster, into: &other)
        #expect(other == roster)
        #expect(Roster(other.json) == roster)
        // The removal of an addition leaves its revision.
        var later = roster
        later.remove(Self.window)
        #expect(later.revise(after: roster, as: Self.revision(2)) { _ in false } == [Self.window])
        Self.merge(later, into: &other)
        #expect(other.added == [])
        #expect(other == later)
        // An older change does not bring the device back.
        Self.merge(roster, into: &other)
        #expect(other == later)
    }

    @Test func `a device that is not shared gets no revision`() {
        var roster = Roster()
        roster.added = [Self.addition("window")]
        #expect(roster.revise(after: Roster(), as: Self.revision(1)) { _ in false } == [])
        #expect(roster.revisions == [:])
        #expect(roster.json["revisions"] == nil)
        roster.reviseFormerChanges(of: "attic") { $0 == Self.window }
        #expect(roster.revisions == [Self.window: Self.revision(0)])
    }

    @Test func `of two additions with one name, the later one counts on each gateway`() {
        var (attic, cellar) = (Roster(), Roster())
        attic.added = [Self.addition("window")]
        _ = attic.revise(after: Roster(), as: Self.revision(1)) { _ in true }
        cellar.added = [Self.addition("window", Self.door)]
        _ = cellar.revise(after: Roster(), as: Self.revision(1, "cellar")) { _ in true }
        let before = attic
        Self.merge(cellar, into: &attic)
        Self.merge(before, into: &cellar)
        #expect(attic == cellar)
        #expect(attic.added == [Self.addition("window", Self.door)])
    }

    @Test func `the oldest revisions of removed devices are forgotten`() {
        var roster = Roster()
        roster.options[Address(1)] = ["title": "first"]
        _ = roster.revise(after: Roster(), as: Self.revision(1)) { _ in true }
        for number in 2..<1102 {
            var other = Roster()
            other.revisions[Address(UInt64(number))] = Self.revision(number)
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
