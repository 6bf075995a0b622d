import Bluetooth
import EventLoop
import Foundation
import JSON
import System
import TestSupport
import Testing

@testable import Bridge
@testable import Devices

/// Damaged files in the state folder: the gateway starts, and what it has loaded can be stored and loaded again.
@Suite struct StateFuzzTests {
    /// The number of damaged files; the environment may set a larger one.
    private static let runs = ProcessInfo.processInfo.environment["BLUEFLEET_FUZZ_FILES"].flatMap { Int($0) } ?? 3_000

    private static let files = [
        "devices.json": #"""
        {"added":[{"name":"a","entry":{"address":"C0:00:00:00:00:01","connect":"every 10m",
        "characteristics":{"t":{"uuid":"2A6E","subscribe":true}}}}],
        "adopted":[{"name":"s/1","address":"C0:00:00:00:00:02","advertisement":{"name":"S","services":["181A"]}}],
        "removed":{"x":"C0:00:00:00:00:03"},"renamed":{"y":{"address":"C0:00:00:00:00:04","name":"z"}},
        "options":{"C0:00:00:00:00:01":{"within":"30s"}}}
        """#,
        "peripherals.json": #"""
        {"peripherals":[{"address":"C0:00:00:00:00:01","identity":"C0:00:00:00:00:09","adapter":"00:00:5E:00:53:01",
        "name":"Sensor","last_heard":1764000000000,"connected":true}]}
        """#,
        "advertisers.json": #"""
        {"C0:00:00:00:00:01":{"last_heard":1764000000000,"interval":5000,"silent":false,"counters":{"bthome":4711}}}
        """#,
        "quantities.json": #"""
        {"C0:00:00:00:00:01":[{"name":"temperature","form":"number","unit":"°C","kind":"temperature"}]}
        """#,
        "retained.json": #"""
        {"broker":"mqtt://localhost:1883","prefix":"bluefleet","gateway":"attic","devices":["a"],"topics":["a/b"]}
        """#,
        "waiting.json": #"""
        {"broker":"mqtt://localhost:1883","messages":[{"topic":"a/b","hex":"7b7d","qos":1,
        "content_type":"application/json"}]}
        """#,
    ]

    @Test func `a damaged state file neither crashes nor hangs the gateway, and its contents can be stored again`()
        async throws
    {
        var random = SeededGenerator(seed: 5 &+ SeededGenerator.fuzzSeed)
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let names = Self.files.keys.sorted()
        for run in 0..<Self.runs {
            let name = names[run % names.count]
            let original = Array((Self.files[name] ?? "").utf8)
            let bytes = run < names.count ? original : Self.damaged(original, &random)
            try Data(bytes).write(to: URL(filePath: "\(folder.path)/\(name)"))
            try await Self.load(name, in: folder.path)
            for entry in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                try FileManager.default.removeItem(atPath: "\(folder.path)/\(entry)")
            }
        }
    }

    private static func load(_ name: String, in folder: String) async throws {
        switch name {
        case "devices.json":
            let store = RosterStore(in: folder)
            let roster = store.roster
            guard roster != Roster() else { return }
            // Another roster, so that the store writes.
            try await store.save(Roster())
            try await store.save(roster)
            #expect(RosterStore(in: folder).roster == roster)
        case "peripherals.json":
            var store = KnownPeripheralStore(in: folder)
            let known = store.load()
            store.save([])
            store.save(known)
            #expect(store.load() == known)
        case "advertisers.json":
            let store = AdvertiserStore(in: folder)
            let now = Instant(nanoseconds: 1 << 40)
            for milliseconds in [0, 1_764_000_000_000, Int64.max / 4] {
                _ = store.memory(of: Address(0xC0_0000_0000_01), at: now, Timestamp(milliseconds: milliseconds))
            }
        case "quantities.json": _ = QuantitiesStore(in: folder)[Address(0xC0_0000_0000_01)]
        case "retained.json": _ = RetainedTopicsStore(in: folder)
        default: _ = UnsentMessagesStore(in: folder)
        }
    }

    private static let tokens = [
        "null", "true", "-1", "1e400", "99999999999999999999", "9223372036854775807", "-9223372036854775808", "\"\"",
        "[]",
        "{}", "\"\\u0000\"", "0.5",
    ].map { Array($0.utf8) }

    private static func damaged(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0...5, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...40, using: &random)))
            case 2: bytes.insert(contentsOf: bytes[..<index], at: index)
            case 3: bytes.removeLast(bytes.count - index)
            // Another value in the place of a value: such a file is valid JSON.
            default:
                guard let colon = bytes[index...].firstIndex(of: UInt8(ascii: ":")) else { continue }
                let start = colon + 1
                let end =
                    bytes[start...].firstIndex { [UInt8(ascii: ","), UInt8(ascii: "}")].contains($0) } ?? bytes.endIndex
                bytes.replaceSubrange(start..<end, with: tokens.randomElement(using: &random) ?? [])
            }
        }
        return bytes
    }
}
