import Bluetooth
import Configuration
import Devices
import EventLoop
import Foundation
import JSON
import System
import TestSupport
import Testing

@testable import Bridge

/// The roster file, also if it is damaged.
@Suite struct RosterStoreTests {
    private static let roster = Roster(["added": ["porch": ["address": "C0:00:00:00:00:05"]]])

    /// Runs `body` with a state folder that contains a `devices.json` of this text, if any.
    private func inFolder(
        _ text: String? = nil, _ body: (_ folder: TemporaryFolder) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        if let text { try folder.write(text, to: "devices.json") }
        try await body(folder)
    }

    private func text(_ name: String, _ folder: TemporaryFolder) -> String? {
        try? String(contentsOfFile: folder.path(name), encoding: .utf8)
    }

    @Test func `RosterStore loads what it has stored, and leaves no other file`() async throws {
        try await inFolder { folder in
            let store = RosterStore(in: folder.path)
            try await store.save(Self.roster)
            #expect(RosterStore(in: folder.path).roster == Self.roster)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["devices.json"])
        }
    }

    @Test func `RosterStore loads an entry with the greatest depth of a request`() async throws {
        let format = String(repeating: "[", count: 30) + String(repeating: "]", count: 30)
        let roster = Roster(["added": ["porch": ["format": try JSON(parsing: format)]]])
        try await inFolder { folder in
            let store = RosterStore(in: folder.path)
            try await store.save(roster)
            #expect(RosterStore(in: folder.path).roster == roster)
        }
    }

    @Test(arguments: ["", #"{"added":{"po"#, "[]", "null"])
    func `RosterStore keeps a damaged file under another name`(text: String) async throws {
        try await inFolder(text) { folder in
            let store = RosterStore(in: folder.path)
            #expect(store.roster == Roster())
            #expect(self.text("devices.json", folder) == text)
            try await store.save(Self.roster)
            #expect(self.text("devices.json.damaged", folder) == text)
            #expect(RosterStore(in: folder.path).roster == Self.roster)
            try await store.save(Roster())
            #expect(self.text("devices.json.damaged", folder) == text)
        }
    }

    @Test func `RosterStore sets added devices that exceed the limits aside`() async throws {
        let large = JSON.Object((0..<101).map { ("c\($0)", JSON.object(["uuid": "2A6E"])) })
        let long = JSON.string(String(repeating: "x", count: 17_000))
        var added: JSON.Object = [
            "porch": ["address": "C0:00:00:00:00:05"],
            "attic": ["address": "C0:00:00:00:00:06", "characteristics": .object(large)],
            "long": ["address": "C0:00:00:00:00:07", "x-note": long],
        ]
        for number in 0..<600 {
            let address = "C0:00:00:01:" + String(number + 0x1000, radix: 16).suffix(4).prefix(2) + ":00"
            added["d\(number)"] = ["address": .string(address)]
        }
        let stored: JSON = ["added": .object(added)]
        try await inFolder(stored.description) { folder in
            let store = RosterStore(in: folder.path)
            #expect(store.roster.added.map(\.name) == ["porch"] + (0..<499).map { "d\($0)" })
            let refused = try JSON(parsing: text("devices.refused.json", folder) ?? "")["added"]?.object?.names
            #expect(refused == ["attic", "long"] + (499..<600).map { "d\($0)" })
        }
    }

    @Test func `RosterStore sets characteristics beyond 5,000 and options beyond 256 KiB aside`() async throws {
        let many = JSON.Object((0..<100).map { ("c\($0)", JSON.object(["uuid": "2A6E"])) })
        let note = JSON.string(String(repeating: "x", count: 4000))
        var (added, options): (JSON.Object, JSON.Object) = ([:], [:])
        var listed: Set<Address> = []
        for number in 0..<100 {
            let address = try #require(Address("C0:00:00:01:00:\(number < 10 ? "0" : "")\(number)"))
            added["d\(number)"] = ["address": .text(address), "characteristics": .object(many)]
            listed.insert(address)
            options["\(address)"] = ["title": note]
        }
        let unknown = try #require(Address("C0:00:00:00:00:99"))
        options["\(unknown)"] = ["title": note]
        let stored: JSON = ["added": .object(added), "options": .object(options)]
        try await inFolder(stored.description) { folder in
            let store = RosterStore(in: folder.path, listed: listed)
            #expect(store.roster.added.count == 50)
            // 65 times 4,012 bytes are below 262,144 bytes.
            #expect(store.roster.options.count == 65)
            let refused = Roster(try JSON(parsing: text("devices.refused.json", folder) ?? ""))
            #expect(refused.added.count == 50)
            #expect(refused.options.count == 36)
            #expect(refused.options[unknown] != nil)
        }
    }

    @Test func `StateFile treats a file of too many values as damaged`() async throws {
        let text = "{\"added\":{}, \"x\": [" + Array(repeating: "{}", count: 1_000_000).joined(separator: ",") + "]}"
        let short = #"{"text": ""# + String(repeating: #"[{\""#, count: 400_000) + #""}"#
        try await inFolder(text) { folder in
            try folder.write(short, to: "short.json")
            #expect(StateFile.contents(of: folder.path("devices.json")) == nil)
            // Characters in a text are not values.
            #expect(StateFile.contents(of: folder.path("short.json")) != nil)
            #expect(RosterStore(in: folder.path).roster == Roster())
        }
    }

    @Test func `RosterStore treats a file of more than 8 MiB as damaged`() async throws {
        let text = #"{"added": {"x": {"note": ""# + String(repeating: "x", count: 9 << 20) + #""}}}"#
        try await inFolder(text) { folder in
            let store = RosterStore(in: folder.path)
            #expect(store.roster == Roster())
            try await store.save(Self.roster)
            #expect(self.text("devices.json.damaged", folder)?.utf8.count == text.utf8.count)
        }
    }

    @Test func `EntryReader reads each entry once`() throws {
        let entries = EntryReader(try Configuration(yaml: "profiles: {p: {hold: 7s}}"))
        let addition = Roster.Addition(name: "x", entry: ["address": "C0:00:00:00:00:05", "profile": "p"])
        let device = try entries.device(of: addition)
        #expect(device.hold == .seconds(7))
        #expect(entries.readCount == 1)
        for _ in 0..<3 { #expect(try entries.device(of: addition) == device) }
        #expect(entries.readCount == 1)
        let other = Roster.Addition(name: "x", entry: ["address": "C0:00:00:00:00:05", "hold": "8s"])
        #expect(try entries.device(of: other).hold == .seconds(8))
        entries.forget(allExcept: [])
        _ = try entries.device(of: other)
        #expect(entries.readCount == 3)
    }

    @Test func `EntryReader reads options once, with their warnings`() throws {
        let entries = EntryReader(try Configuration(yaml: "devices: {x: {address: C0:00:00:00:00:05, connect: never}}"))
        let device = try #require(entries.configuration.devices.first)
        let options = Roster.Options(["hold": "8s"])
        for _ in 0..<3 {
            let changed = try entries.device(device, options: options)
            #expect(changed.device.hold == .seconds(8))
            #expect(changed.warnings.count == 1)
        }
        #expect(entries.readCount == 1)
    }

    @Test func `RosterStore does not overwrite a file that could not be read`() async throws {
        try await inFolder { folder in
            let file = folder.path("devices.json")
            try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
            let store = RosterStore(in: folder.path)
            // The file was unreadable only for a moment.
            try FileManager.default.removeItem(atPath: file)
            try folder.write(Self.roster.json.description, to: "devices.json")
            let other = Roster(["added": ["attic": ["address": "C0:00:00:00:00:06"]]])
            let error = try await #require(throws: SystemError.self) { try await store.save(other) }
            #expect(error.description.hasPrefix("cannot read \(file): "))
            #expect(store.roster == Roster())
            #expect(RosterStore(in: folder.path).roster == Self.roster)
        }
    }
}
