import Foundation
import Testing

/// The folders of a room name each other's types in one direction only, so that a reader can begin at one end.
@Suite struct FolderTests {
    /// The pairs of folders that name each other's types, with the reason.
    private static let explained: [Set<String>: String] = [
        ["Codec/Advertisements", "Codec/Devices"]:
            "the decoder searches the tables of the makers, which are rows of formats",
        ["Codec/Advertisements", "Codec/Devices/Xiaomi"]: "the maker's products have names in one table",
        ["Codec/Advertisements", "Codec/Fields"]: "a text field can be a compressed URL of an advertisement",
        ["Codec/Characteristics", "Codec/Fields"]:
            "the SIG's tables are rows of fields, and a field can be a SIG value",
        ["Codec/Expressions", "Codec/Fields"]: "a field can be a formula, and a formula uses the numbers of fields",
        ["Codec/Fields", "Codec/Format"]: "a format consists of fields, and a field can be a record with a format",
        ["Codec/Fields", "Codec/Numbers"]: "the message about a number contains the name of its field",
        ["Codec/Fields", "Codec/Values"]: "a quantity follows from its field, and a field decodes to values",
        ["Codec/Format", "Codec/Values"]: "a quantity follows from its format, and a format decodes to values",
        ["Codec/Numbers", "Codec/Values"]: "dates and times decode to values, and a value can be a number",
        ["Configuration/Keys", "Configuration/Settings"]:
            "keys fill the settings, and the settings are read by their keys",
        ["Configuration/Profiles", "Configuration/Reading"]:
            "a profile is read like every file, and the reader of a file reads the profiles that it names",
        ["Configuration/Profiles", "Configuration/Settings"]:
            "a profile contains settings, and the settings of an entry are merged with its profile",
        ["Configuration/Reading", "Configuration/Settings"]:
            "the settings use the reader of a key, and a reader makes settings of its kind",
        ["MQTT/Client", "MQTT/Library"]: "the connection is made with the settings of the client",
        ["bluefleet/CommandLine", "bluefleet/Commands"]: "the program lists its commands, which read their arguments",
    ]

    @Test(arguments: Sources.rooms)
    func `no two folders of a room name each other's types without a reason`(room: String) throws {
        let names = try #require(try Self.names.get()[room])
        for (pair, example) in names where pair.first < pair.second {
            guard let back = names[Pair(first: pair.second, second: pair.first)] else { continue }
            let reason = Self.explained[[pair.first, pair.second]]
            #expect(reason != nil, "\(pair.first) names \(example), and \(pair.second) names \(back)")
        }
    }

    @Test func `each reason belongs to two folders that name each other's types`() throws {
        let names = try Self.names.get().values.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        for folders in Self.explained.keys {
            let sorted = folders.sorted()
            let both = [(sorted[0], sorted[1]), (sorted[1], sorted[0])]
            for (first, second) in both {
                #expect(names[Pair(first: first, second: second)] != nil, "\(first) names no type of \(second)")
            }
        }
    }

    private struct Pair: Hashable {
        let first: String
        let second: String
    }

    /// The folders that name a type of another folder, with one of these names, by room.
    private static let names = Result {
        try Dictionary(uniqueKeysWithValues: Sources.rooms.map { ($0, try names(in: $0)) })
    }

    private static func names(in room: String) throws -> [Pair: String] {
        var owners: [Substring: String] = [:]
        var codes: [(folder: String, code: String)] = []
        for file in Sources.files(in: room) {
            let path = file.deletingLastPathComponent().path
            let folder = String(path.dropFirst(Sources.root.appending(path: "Sources").path.count + 1))
            let code = SourceText.withoutTextAndComments(try String(contentsOf: file, encoding: .utf8))
                .replacing(/(?m)^.*\bimport .*$/, with: "")
            codes.append((folder, code))
            for match in code.matches(of: SourceText.typeDeclaration) where owners[match.1] == nil {
                owners[match.1] = folder
            }
        }
        var names: [Pair: String] = [:]
        for (folder, code) in codes {
            let own = Set(code.matches(of: /\b(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)/).map { $0.1 })
            for match in code.matches(of: /(?:^|[^.\w])([A-Z]\w*)/) {
                guard !own.contains(match.1), let owner = owners[match.1], owner != folder else { continue }
                names[Pair(first: folder, second: owner)] = String(match.1)
            }
        }
        return names
    }
}

/// Where the code of one actor enters another one without waiting.
@Suite struct IsolationRuleTests {
    /// The files of Bridge that may, with the reason.
    private static let entrances = [
        "BluetoothLink.swift": "the gateway asks the central for its state",
        "Device+Gateway.swift": "the gateway enters its devices",
        "ConnectionExecutor.swift": "a device asks the central which connections are in use",
    ]

    @Test func `Bridge calls assumeIsolated only where an actor is entered for a reason`() throws {
        for file in Sources.files(in: "Bridge") {
            let count = try SourceLine.all(of: file).count { $0.code.contains("assumeIsolated") }
            let limit = Self.entrances[file.lastPathComponent] == nil ? 0 : 1
            #expect(count <= limit, "\(file.lastPathComponent): parts of an actor are classes (LoopPart)")
        }
    }
}
