import Foundation
import Testing

/// The folders of a room name each other's declarations in one direction only, so that a reader can begin at one end.
@Suite struct FolderTests {
    /// The pairs of folders that name each other's declarations, with the reason.
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
    ]

    @Test(arguments: Sources.rooms)
    func `no two folders of a room name each other's declarations without a reason`(room: String) throws {
        let names = try #require(try Self.names.get()[room])
        for (pair, example) in names where pair.first < pair.second {
            guard let back = names[pair.reversed] else { continue }
            let reason = Self.explained[[pair.first, pair.second]]
            #expect(reason != nil, "\(pair.first) names \(example), and \(pair.second) names \(back)")
        }
    }

    /// Folders with an explained pair count as one here.
    @Test(arguments: Sources.rooms)
    func `no three folders of a room or more name each other's declarations in a circle`(room: String) throws {
        let names = try #require(try Self.names.get()[room])
        var groups: [String: String] = [:]
        func group(of folder: String) -> String { groups[folder].map(group) ?? folder }
        for pair in Self.explained.keys.map({ $0.sorted() }) where group(of: pair[0]) != group(of: pair[1]) {
            groups[group(of: pair[0])] = group(of: pair[1])
        }
        var edges: [String: [(target: String, example: String)]] = [:]
        for (pair, example) in names where group(of: pair.first) != group(of: pair.second) {
            edges[group(of: pair.first), default: []].append(
                (group(of: pair.second), "\(pair.first) names \(example) of \(pair.second)"))
        }
        // A folder that names no other one is in no circle. Without it, the same holds for those that name only that folder.
        while let end = edges.first(where: { $0.value.allSatisfy { edges[$0.target] == nil } }) { edges[end.key] = nil }
        let circle = edges.values.joined().filter { edges[$0.target] != nil }.map(\.example).sorted()
        #expect(circle.isEmpty, "\(circle.joined(separator: "; "))")
    }

    @Test func `each reason belongs to two folders that name each other's declarations`() throws {
        let names = try Self.names.get().values.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        for folders in Self.explained.keys {
            let pair = Pair(first: folders.sorted()[0], second: folders.sorted()[1])
            for pair in [pair, pair.reversed] {
                #expect(names[pair] != nil, "\(pair.first) names no declaration of \(pair.second)")
            }
        }
    }

    private struct Pair: Hashable {
        let first: String
        let second: String

        var reversed: Pair { Pair(first: second, second: first) }
    }

    /// The folders that name a declaration of another folder, with one of these names, by room.
    private static let names = Result {
        let files = try Dictionary(uniqueKeysWithValues: Sources.rooms.map { ($0, try declarations(in: $0)) })
        // The name of a member shows its folder only if it is declared in one folder of all rooms.
        var owners: [String: Set<String>] = [:]
        for file in files.values.joined() { for name in file.all { owners[name, default: []].insert(file.folder) } }
        return files.mapValues { names(in: $0) { owners[$0]?.count == 1 } }
    }

    private static func declarations(in room: String) throws -> [Declarations] {
        try Sources.files(in: room).map { file in
            let path = file.deletingLastPathComponent().path
            let folder = String(path.dropFirst(Sources.root.appending(path: "Sources").path.count + 1))
            return Declarations(try String(contentsOf: file, encoding: .utf8), in: folder)
        }
    }

    private static func names(in room: [Declarations], _ isUnique: (String) -> Bool) -> [Pair: String] {
        var owners: [String: String] = [:]
        for file in room {
            owners.merge(file.types.map { ($0, file.folder) }) { first, _ in first }
            owners.merge(file.members.filter(isUnique).map { ($0, file.folder) }) { first, _ in first }
        }
        var names: [Pair: String] = [:]
        for file in room {
            for name in file.namedTypes.union(file.namedMembers.filter(isUnique)) {
                guard let owner = owners[name], owner != file.folder else { continue }
                names[Pair(first: file.folder, second: owner)] = name
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
