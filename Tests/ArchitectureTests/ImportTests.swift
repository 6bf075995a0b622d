import Foundation
import Testing

/// The rooms and what each may import: strictly downwards, C in one room per library.
@Suite struct ImportTests {
    static let table: [String: Set<String>] = [
        "EventLoop": ["CLinux"],
        "Log": [],
        "JSON": ["CJSON"],
        "Bluetooth": [],
        "Codec": ["Bluetooth", "CCrypto"],
        "DBus": ["EventLoop", "CDBus"],
        "MQTT": ["EventLoop", "CMosquitto"],
        "Configuration": ["Bluetooth", "Codec", "CYAML"],
        "BlueZ": ["Bluetooth", "DBus", "EventLoop"],
        "Bridge": [
            "BlueZ", "Configuration", "MQTT", "DBus", "Codec", "Bluetooth", "JSON", "Log", "EventLoop", "CLinux",
        ],
        "Simulator": ["DBus", "Bluetooth", "Codec", "EventLoop", "Configuration"],
        "bluefleet": [
            "Bridge", "Simulator", "BlueZ", "Configuration", "MQTT", "DBus", "Codec", "Bluetooth", "JSON", "Log",
            "EventLoop",
        ],
    ]

    /// What the system brings along and anybody may use.
    static let system: Set = ["Glibc", "Synchronization"]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func files(in room: String) -> [URL] {
        let folder = root.appending(path: "Sources/\(room)")
        let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (walk?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    }

    @Test func `every room of Sources is in the table`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "Sources").path)
        let rooms = folders.filter { !Self.files(in: $0).isEmpty }
        #expect(Set(rooms) == Set(Self.table.keys))
    }

    @Test(arguments: table.keys.sorted())
    func `a room imports only what lies below it`(room: String) throws {
        let allowed = Self.table[room, default: []].union(Self.system)
        let files = Self.files(in: room)
        #expect(!files.isEmpty)
        for file in files {
            for line in try SourceLine.all(of: file) {
                guard let module = line.importedModule else { continue }
                #expect(allowed.contains(module), "\(file.lastPathComponent): \(line.code)")
            }
        }
    }

    @Test(arguments: table.keys.sorted())
    func `every task of the daemon stays on its loop`(room: String) throws {
        for file in Self.files(in: room) {
            for line in try SourceLine.all(of: file) {
                #expect(!line.leavesLoop, "\(file.lastPathComponent): \(line.code)")
            }
        }
    }
}
