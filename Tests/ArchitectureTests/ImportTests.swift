import Foundation
import Testing

/// The rooms and the modules that each may import: strictly downwards, each C library in one room.
@Suite struct ImportTests {
    static let table: [String: Set<String>] = [
        "System": ["CLinux"],
        "EventLoop": ["CLinux", "System"],
        "Log": ["System"],
        "JSON": ["CJSON"],
        "Bluetooth": [],
        "Codec": ["Bluetooth", "JSON", "CCrypto"],
        "DBus": ["EventLoop", "Log", "System", "CDBus"],
        "MQTT": ["EventLoop", "System", "CMosquitto"],
        "Spool": ["EventLoop", "System", "CSQLite"],
        "HTTP": ["EventLoop", "System", "CMicroHTTPD"],
        "Configuration": ["Bluetooth", "Codec", "System", "CYAML"],
        "BlueZ": ["Bluetooth", "DBus", "EventLoop", "System"],
        "Contract": ["Configuration", "MQTT", "Codec", "Bluetooth", "JSON", "System"],
        "Survey": ["BlueZ", "Codec", "Bluetooth", "JSON", "System"],
        "HomeAssistant": ["Contract", "Configuration", "MQTT", "Codec", "Bluetooth", "JSON", "System"],
        "Dashboard": ["Contract", "Configuration", "HTTP", "Bluetooth", "JSON", "System"],
        "Sharing": ["Contract", "System"],
        "Seat": ["Contract", "Configuration", "EventLoop", "JSON", "CCurl"],
        "Devices": ["Contract", "Configuration", "Codec", "Bluetooth", "JSON", "System"],
        "Bridge": [
            "Devices", "HomeAssistant", "Sharing", "Seat", "Survey", "Contract", "BlueZ", "Configuration", "MQTT",
            "Spool",
            "Codec", "Bluetooth", "JSON", "Log", "EventLoop", "System",
        ],
        "Simulator": ["DBus", "Bluetooth", "Codec", "JSON", "EventLoop", "System", "Configuration", "CEmbeddedFiles"],
        "bluefleet-dashboard": [
            "Dashboard", "Contract", "Configuration", "HTTP", "MQTT", "Spool", "JSON", "Log", "EventLoop", "System",
            "CEmbeddedFiles",
        ],
        "bluefleet": [
            "Devices",
            "Bridge", "Seat", "Survey", "Contract", "Simulator", "BlueZ", "Configuration", "MQTT", "Spool", "DBus",
            "Codec",
            "Bluetooth", "JSON",
            "Log",
            "EventLoop", "System", "CEmbeddedFiles",
        ],
    ]

    /// The modules of the system that every room may import.
    static let system: Set = ["Glibc", "Synchronization"]

    @Test func `every room of Sources is in the table`() {
        #expect(Set(Sources.rooms) == Set(Self.table.keys))
    }

    @Test(arguments: table.keys.sorted())
    func `a room imports only what lies below it`(room: String) throws {
        let allowed = Self.table[room, default: []].union(Self.system)
        let files = Sources.files(in: room)
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
        for file in Sources.files(in: room) {
            for line in try SourceLine.all(of: file) {
                #expect(!line.leavesLoop, "\(file.lastPathComponent): \(line.code)")
            }
        }
    }
}
