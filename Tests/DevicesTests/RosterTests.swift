import Bluetooth
import Configuration
import Contract
import JSON
import Testing

@testable import Devices

/// The changes of the roster by requests, and the limits of additions and options.
@Suite struct RosterTests {
    private static let lamp = Address(0xC000_0000_0001)
    private static let sensor = Address(0xC000_0000_0002)
    private static let relay = Address(0xC000_0000_0003)
    private static let identity = Address(0xC000_0000_0009)

    /// Returns the reader of a configuration that lists `lamp`, and that has a fleet rule for `sensor`.
    private static func entries() throws -> EntryReader {
        EntryReader(
            try Configuration(
                yaml: """
                    devices:
                      lamp: {address: C0:00:00:00:00:01, connect: on demand}
                    fleet: [{match: {address: C0:00:00:00:00:02}}]
                    """))
    }

    private static func adopted(_ name: String = "sensor", _ address: Address = sensor) -> AdoptedDevice {
        AdoptedDevice(name: name, address: address, Advertisement())
    }

    private static func add(
        _ name: String, _ address: Address, to roster: inout Roster, _ entries: EntryReader, isNameInUse: Bool = false
    ) throws {
        let addition = Roster.Addition(name: name, entry: ["address": .text(address), "connect": "on demand"])
        let device = try entries.device(of: addition)
        roster.add(addition, of: device, isNameInUse: isNameInUse, entries)
    }

    /// Returns the device with a name that the fleet has with a roster.
    private static func device(
        _ name: String, of roster: Roster, _ entries: EntryReader
    ) throws -> Configuration.Device {
        let device = roster.devices(entries).list.devices.first { $0.name == name }
        return try #require(device)
    }

    // MARK: Added devices

    @Test func `an added device replaces its earlier removal and adoption`() throws {
        var roster = Roster([
            "adopted": .array([Self.adopted().json]),
            "removed": ["old": .text(Self.sensor), "lamp": .text(Self.lamp)],
        ])
        try Self.add("window", Self.sensor, to: &roster, Self.entries())
        #expect(roster.added.map(\.name) == ["window"])
        #expect(roster.adopted == [])
        #expect(roster.removed == ["lamp": Self.lamp])
    }

    @Test(arguments: [(true, 2), (false, 1)])
    func `an addition replaces another one of its name if the fleet has no device of it`(
        isNameInUse: Bool, count: Int
    ) throws {
        let entries = try Self.entries()
        var roster = Roster()
        try Self.add("relay", Self.relay, to: &roster, entries)
        try Self.add("relay", Self.sensor, to: &roster, entries, isNameInUse: isNameInUse)
        #expect(roster.added.count == count)
        #expect(roster.added.last?.address == Self.sensor)
        #expect((roster.devices(entries).conflicts["relay"] != nil) == isNameInUse)
    }

    @Test(arguments: [(#"{"title":"Relay"}"#, true), (#"{"until":["missing"]}"#, false)])
    func `options of an earlier device stay if they fit the new entry`(options: String, areKept: Bool) throws {
        var roster = Roster(["options": ["\(Self.relay)": try JSON(parsing: options)]])
        #expect(roster.options.count == 1)
        try Self.add("relay", Self.relay, to: &roster, Self.entries())
        #expect((roster.options[Self.relay] != nil) == areKept)
    }

    @Test func `removeAddition returns whether there was an addition of this name`() throws {
        var roster = Roster()
        try Self.add("relay", Self.relay, to: &roster, Self.entries())
        let isOtherRemoved = roster.removeAddition(named: "other")
        #expect(!isOtherRemoved && roster.added.count == 1)
        let isRemoved = roster.removeAddition(named: "relay")
        #expect(isRemoved && roster == Roster())
    }

    // MARK: Removed and renamed devices

    @Test func `a removed device of the configuration file keeps its options, and is restored by its name there`()
        throws
    {
        let entries = try Self.entries()
        let configuration = entries.configuration
        let initial = Roster(["options": ["\(Self.lamp)": ["title": "Lamp"]]])
        var roster = initial
        roster.rename(configuration.devices[0], to: "desk", with: configuration)
        let desk = try Self.device("desk", of: roster, entries)
        roster.remove(desk, identity: Self.identity, with: configuration)
        #expect(roster.renamed == [:])
        #expect(roster.removed == ["lamp": Self.lamp])
        #expect(roster.identities == [Self.lamp: Self.identity])
        #expect(roster.options == initial.options)
        #expect(roster.devices(entries).list.devices.map(\.name) == [])
        let isDeskRestored = roster.restore("desk", with: configuration)
        #expect(!isDeskRestored)
        let isLampRestored = roster.restore("lamp", with: configuration)
        #expect(isLampRestored && roster == initial)
    }

    @Test func `restore ignores a removal of another address if the configuration file lists the name`() throws {
        let configuration = try Self.entries().configuration
        var roster = Roster(["removed": ["lamp": .text(Self.relay), "sensor": .text(Self.sensor)]])
        let isLampRestored = roster.restore("lamp", with: configuration)
        #expect(!isLampRestored && roster.removed.count == 2)
        let isSensorRestored = roster.restore("sensor", with: configuration)
        #expect(isSensorRestored && roster.removed == ["lamp": Self.relay])
    }

    @Test func `remove stores the address of an adopted or added device only if a fleet rule may adopt it`() throws {
        let entries = try Self.entries()
        var roster = Roster(["adopted": .array([Self.adopted().json])])
        try Self.add("relay", Self.relay, to: &roster, entries)
        for name in ["sensor", "relay"] {
            let device = try Self.device(name, of: roster, entries)
            roster.remove(device, identity: Self.identity, with: entries.configuration)
        }
        #expect(roster.added == [])
        #expect(roster.adopted == [])
        #expect(roster.removed == ["sensor": Self.sensor])
        #expect(roster.identities == [:])
    }

    @Test func `a renamed device keeps its entry or its adoption`() throws {
        let entries = try Self.entries()
        let configuration = entries.configuration
        var roster = Roster(["adopted": .array([Self.adopted().json])])
        try Self.add("relay", Self.relay, to: &roster, entries)
        for name in ["lamp", "sensor", "relay"] {
            let device = try Self.device(name, of: roster, entries)
            roster.rename(device, to: "porch/\(name)", with: configuration)
        }
        #expect(roster.added.map(\.name) == ["porch/relay"])
        #expect(roster.added.first?.address == Self.relay)
        #expect(roster.adopted.map(\.name) == ["porch/sensor"])
        #expect(roster.adopted.allSatisfy { $0.isRenamed })
        #expect(roster.renamed == ["lamp": Roster.Renaming(address: Self.lamp, name: "porch/lamp")])
        let lamp = try Self.device("porch/lamp", of: roster, entries)
        roster.rename(lamp, to: "lamp", with: configuration)
        #expect(roster.renamed == [:])
    }

    // MARK: Options

    @Test func `setOptions changes single options, and null restores them`() throws {
        let entries = try Self.entries()
        let lamp = entries.configuration.devices[0]
        var roster = Roster()
        let steps: [(changes: JSON.Object, options: JSON.Object)] = [
            (["title": "Lamp", "hold": "7s"], ["title": "Lamp", "hold": "7s"]),
            (["hold": .null], ["title": "Lamp"]), ([:], ["title": "Lamp"]), (["title": .null], [:]),
        ]
        for (changes, options) in steps {
            let result = try roster.setOptions(of: lamp, changedBy: changes, listed: [Self.lamp], entries)
            #expect(result.device == "lamp")
            #expect(result.options == options)
            #expect((roster.options[Self.lamp]?.settings ?? [:]) == options)
        }
        #expect(roster == Roster())
    }

    @Test(arguments: [
        (#"{"titel":"Lamp"}"#, "unknown key 'titel'"), (#"{"quiet":"1ms"}"#, "quiet: expected at least 1s"),
    ])
    func `setOptions rejects invalid options, and nothing changes`(changes: String, reason: String) throws {
        let entries = try Self.entries()
        let lamp = entries.configuration.devices[0]
        let settings = try #require(JSON(parsing: changes).object)
        var roster = Roster(["options": ["\(Self.lamp)": ["title": "Lamp"]]])
        let before = roster
        let error = #expect(throws: RequestError.self) {
            try roster.setOptions(of: lamp, changedBy: settings, listed: [Self.lamp], entries)
        }
        #expect(error?.code == .badRequest)
        #expect(error?.message.hasPrefix("lamp: ") == true)
        #expect(error?.message.contains(reason) == true)
        #expect(roster == before)
    }

    @Test func `setOptions accepts times of the configuration file that are shorter than the limits`() throws {
        let entries = EntryReader(
            try Configuration(yaml: "devices: {lamp: {address: C0:00:00:00:00:01, connect: always, quiet: 500ms}}"))
        var roster = Roster()
        _ = try roster.setOptions(
            of: entries.configuration.devices[0], changedBy: ["title": "Lamp"], listed: [Self.lamp], entries)
        #expect(roster.options == [Self.lamp: Roster.Options(["title": "Lamp"])])
    }

    /// Sets options without a check, as a change of another gateway does.
    private static func set(_ options: Roster.Options, of address: Address, in roster: inout Roster) {
        var change = DeviceChange()
        change.options = options.settings
        roster.apply(change, of: address, FleetRevision(number: 1, gateway: "attic"))
    }

    @Test func `options that would exceed 256 KiB in all are rejected`() throws {
        var roster = Roster()
        let note = Roster.Options(["title": .string(String(repeating: "x", count: 4000))])
        var listed: Set<Address> = []
        for number in 10..<75 {
            let address = try #require(Address("C0:00:00:01:00:\(number)"))
            #expect(roster.obstacle(toOptions: note, of: address, listed: listed) == nil)
            Self.set(note, of: address, in: &roster)
            listed.insert(address)
        }
        let first = try #require(Address("C0:00:00:01:00:10"))
        let other = try #require(Address("C0:00:00:01:00:99"))
        #expect(roster.obstacle(toOptions: note, of: first, listed: listed) == nil)
        #expect(roster.obstacle(toOptions: note, of: other, listed: listed)?.contains("256 KiB") == true)
        // The options of former devices give way.
        listed.remove(first)
        #expect(roster.obstacle(toOptions: note, of: other, listed: listed) == nil)
        Self.set(note, of: other, in: &roster)
        roster.limitFormerOptions(listed: listed.union([other]))
        #expect(roster.options[first] == nil)
        #expect(roster.options.count == 65)
    }

    // MARK: Limits

    @Test func `the characteristics of profiles count for the limit of added devices`() throws {
        let characteristics = (100..<200)
            .map { "c\($0): {uuid: \"00000\($0)-1111-2222-3333-444444444444\"}" }.joined(separator: ", ")
        let configuration = try Configuration(yaml: "profiles: {p: {characteristics: {\(characteristics)}}}")
        let added = (10..<65).map { number -> (String, JSON) in
            ("d\(number)", ["address": .string("C0:00:00:01:00:\(number)"), "profile": "p"])
        }
        let roster = Roster(["added": .object(JSON.Object(added))])
        let outcome = roster.devices(EntryReader(configuration))
        #expect(outcome.list.devices.count == 50)
        #expect(outcome.conflicts.count == 5)
        #expect(outcome.conflicts["d60"]?.cause == Roster.tooManyCharacteristics)
    }

    @Test func `makeRoom removes the first replaceable adoption at the maximum of adopted devices`() {
        let devices = (0..<Roster.mostAdopted).map { number in
            Self.adopted("s/\(number)", Address(0xC100_0000_0000 + UInt64(number)))
        }
        var roster = Roster(["adopted": .array(devices.map(\.json))])
        // Other gateways have this device too.
        roster.passOn([devices[0].address: devices[0].name], as: FleetRevision(number: 1, gateway: "attic"))
        let full = roster
        roster.makeRoom(forAdopted: devices[5].address) { _ in true }
        #expect(roster == full)
        roster.makeRoom(forAdopted: Self.sensor) { _ in false }
        #expect(roster == full)
        roster.makeRoom(forAdopted: Self.sensor) { $0.address != devices[1].address }
        let remaining = Array(devices[..<2] + devices[3...])
        #expect(roster.adopted == remaining)
        let others = roster
        roster.makeRoom(forAdopted: Self.sensor) { _ in true }
        #expect(roster == others)
    }
}
