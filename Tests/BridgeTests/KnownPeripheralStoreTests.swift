import Bluetooth
import EventLoop
import Foundation
import System
import Testing

@testable import BlueZ
@testable import Bridge

@Suite struct KnownPeripheralStoreTests {
    private static func peripheral(name: String? = "sensor", heard: Int64 = 1_000, isConnected: Bool = false)
        -> KnownPeripheral
    {
        KnownPeripheral(
            address: Address(0xC0_00_00_00_00_04), adapter: Address(0x5E_00_53_01), name: name,
            lastSeen: Timestamp(milliseconds: heard), isConnected: isConnected)
    }

    private func inFolder(_ body: (_ folder: String, _ file: String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try body("\(folder.path)/state", "\(folder.path)/state/peripherals.json")
    }

    @Test func `KnownPeripheralStore loads what it has stored, and creates its folder`() throws {
        try inFolder { folder, _ in
            var store = KnownPeripheralStore(in: folder)
            #expect(store.load().isEmpty)
            let all = [Self.peripheral(isConnected: true), Self.peripheral(name: nil)]
            store.save(all)
            var next = KnownPeripheralStore(in: folder)
            #expect(next.load() == all)
        }
    }

    @Test func `KnownPeripheralStore writes only changes`() throws {
        try inFolder { folder, file in
            var store = KnownPeripheralStore(in: folder)
            store.save([Self.peripheral()])
            try FileManager.default.removeItem(atPath: file)
            func writes(_ peripheral: KnownPeripheral, isLast: Bool = false) throws -> Bool {
                store.save([peripheral], isLast: isLast)
                defer { try? FileManager.default.removeItem(atPath: file) }
                return FileManager.default.fileExists(atPath: file)
            }
            let day: Int64 = 86_400_000
            #expect(try !writes(Self.peripheral(heard: 1_000 + day)))
            #expect(try writes(Self.peripheral(heard: 1_001 + day)))
            #expect(try !writes(Self.peripheral(heard: 1_001 + day), isLast: true))
            #expect(try writes(Self.peripheral(heard: 1_002 + day), isLast: true))
            #expect(try writes(Self.peripheral(heard: 1_002 + day, isConnected: true)))
        }
    }

    @Test func `KnownPeripheralStore replaces a damaged file`() throws {
        try inFolder { folder, file in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try "{\"peripherals\":[{".write(toFile: file, atomically: true, encoding: .utf8)
            var store = KnownPeripheralStore(in: folder)
            #expect(store.load().isEmpty)
            store.save([Self.peripheral()])
            var next = KnownPeripheralStore(in: folder)
            #expect(next.load() == [Self.peripheral()])
        }
    }

    @Test func `KnownPeripheralStore ignores a negative time`() throws {
        try inFolder { folder, file in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for time in [-5, Int.min] {
                let text = #"{"peripherals":[{"address":"C0:00:00:00:00:04","last_heard":\#(time)}]}"#
                try text.write(toFile: file, atomically: true, encoding: .utf8)
                var store = KnownPeripheralStore(in: folder)
                let known = store.load()
                #expect(known.map(\.address) == [Address(0xC0_00_00_00_00_04)])
                #expect(known.allSatisfy { $0.lastSeen == nil })
            }
        }
    }

    @Test func `KnownPeripheralStore works without a folder, and stores nothing`() throws {
        var store = KnownPeripheralStore(in: "/dev/null/state")
        store.save([Self.peripheral()])
        #expect(store.load().isEmpty)
    }
}
