import Glibc
import System
import TestSupport
import Testing

@testable import Spool

/// Damaged files: the program starts with each of them, and what can be read is not lost.
@Suite struct DamageTests {
    private let pageSize = RecordTable.pageSize

    private func contents(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }

    private func write(_ bytes: [UInt8], to path: String) {
        guard let file = fopen(path, "w") else { return }
        defer { fclose(file) }
        fwrite(bytes, 1, bytes.count, file)
    }

    @Test func `a file that is no database is replaced, and kept under another name`() async throws {
        let folder = try SpoolFolder()
        write(
            Array("nothing that SQLite knows, for certain".utf8) + [UInt8](repeating: 1, count: 8192), to: folder.path)
        let file = folder.open()
        _ = await file.append([folder.record(1)], folder.clock)
        #expect(try await folder.numbers(file) == [1])
        #expect(contents(folder.path + ".damaged").count > 8192)
        let report = try await file.report(of: "mqtt://a bluefleet", folder.clock)
        #expect(report.counters.damage != nil && report.counters.salvaged == 0)
    }

    /// The constant bytes of the header (https://www.sqlite.org/fileformat.html, 1.3): the name of the format, the size of a
    /// page, and the versions for writing and reading.
    @Test(arguments: 0..<24)
    func `a file whose header has changed is replaced, and all records are copied`(index: Int) async throws {
        let folder = try SpoolFolder()
        let file = folder.open()
        _ = await file.append((0..<100).map { folder.record($0) }, folder.clock)
        await file.close()
        var bytes = contents(folder.path)
        bytes[index] ^= 0x05
        write(bytes, to: folder.path)
        let again = folder.open()
        #expect(await again.append([folder.record(100)], folder.clock).failure == nil)
        #expect(try await folder.numbers(again) == Array(0...100))
    }

    @Test(arguments: [
        "UPDATE records SET id = 9223372036854775806", "UPDATE records SET id = 9223372036854775807",
        "INSERT INTO last VALUES(9223372036854775807)",
    ])
    func `the largest possible number in the file does not stop the program`(damage: String) async throws {
        let folder = try SpoolFolder()
        let file = folder.open()
        _ = await file.append([folder.record(1)], folder.clock)
        await file.close()
        try Database(folder.path, .readWrite).execute(damage)
        let again = folder.open()
        #expect(await again.append([folder.record(2)], folder.clock).failure == nil)
        #expect(try await folder.numbers(again).last == 2)
    }

    @Test func `numbers of lost records are not used again in the same millisecond`() async throws {
        let folder = try SpoolFolder()
        let file = folder.open()
        let first = await file.append([folder.record(1), folder.record(2)], folder.clock).ids
        await file.close()
        write([UInt8](repeating: 1, count: 8192), to: folder.path)
        let second = await file.append([folder.record(3)], folder.clock).ids
        #expect(second[0] > first[1])
    }

    @Test(arguments: [1, 100])
    func `a record that has changed on the disk is not returned, and the others are copied`(runs: Int) async throws {
        let folder = try SpoolFolder()
        let file = folder.open()
        _ = await file.append((0..<300).map { folder.record($0, size: 80) }, folder.clock)
        await file.close()
        let original = contents(folder.path)
        let payload = Array("150 ".utf8)
        let place = try #require(original.indices.first { original[$0...].starts(with: payload) })
        var random = SeededGenerator(seed: 3)
        for _ in 0..<runs {
            var bytes = original
            let index = place + Int.random(in: 0..<80, using: &random)
            bytes[index] ^= UInt8.random(in: 1...255, using: &random)
            write(bytes, to: folder.path)
            for suffix in ["-wal", "-shm"] { unlink(folder.path + suffix) }
            let again = folder.open()
            #expect(try await folder.numbers(again) == Array(0..<150) + Array(151..<300))
            let counters = try await again.report(of: "mqtt://a bluefleet", folder.clock).counters
            #expect(counters.salvaged == 299 && counters.changed == 1 && counters.damage != nil)
            await again.close()
        }
    }

    @Test func `a start of the machine that has changed on the disk does not change the times`() async throws {
        var folder = try SpoolFolder()
        folder.setClock(to: 1_700_000_000_000, isSynchronized: true)
        let file = folder.open()
        _ = await file.append([folder.record(0)], folder.clock)
        await file.close()
        try Database(folder.path, .readWrite).execute("UPDATE boots SET offset = offset + 3600000")
        let again = folder.open()
        let records = try await again.records(after: 0, of: "mqtt://a bluefleet", most: 9, folder.clock)
        #expect(records.count == 1 && records[0].correctedTime == nil)
        #expect(try await again.report(of: "mqtt://a bluefleet", folder.clock).counters.damage != nil)
    }

    /// Version 2 had 4096 bytes per page, numbers by AUTOINCREMENT, and the topic in each record.
    @Test func `the records of a file of version 2 are copied`() async throws {
        let folder = try SpoolFolder()
        let record = folder.record(1)
        try Database(folder.path, .readWrite).execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA user_version = 2;
            CREATE TABLE brokers(broker INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
            CREATE TABLE boots(boot INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
                offset INTEGER NOT NULL, certain INTEGER NOT NULL, sum INTEGER NOT NULL);
            CREATE TABLE records(id INTEGER PRIMARY KEY AUTOINCREMENT, broker INTEGER NOT NULL,
                boot INTEGER NOT NULL, moment INTEGER NOT NULL, time INTEGER NOT NULL, bare INTEGER NOT NULL,
                topic TEXT NOT NULL, payload BLOB NOT NULL, sum INTEGER NOT NULL);
            INSERT INTO brokers VALUES(5, '\(record.broker)');
            INSERT INTO records VALUES(77, 5, 9, 0, \(record.time.milliseconds), 0, '\(record.topic)', CAST('1' AS BLOB),
                \(RowChecksum(of: record, id: 77, broker: 5, boot: 9).value));
            """)
        let file = folder.open()
        #expect(await file.append([folder.record(2)], folder.clock).failure == nil)
        let records = try await file.records(after: 0, of: record.broker, most: 9, folder.clock)
        #expect(records.first?.id == 77 && records.map(\.record.topic) == ["d/t", "d/t"])
        #expect(try await folder.numbers(file) == [1, 2])
        #expect(try await file.report(of: record.broker, folder.clock).counters.salvaged == 1)
    }

    @Test func `a stamp that has changed on the disk is found, and other stamps are copied`() async throws {
        let folder = try SpoolFolder()
        let file = folder.open()
        let records = [folder.record(0), folder.record(1, stamp: "[7]"), folder.record(2, stamp: "[8]")]
        _ = await file.append(records, folder.clock)
        await file.close()
        try Database(folder.path, .readWrite).execute("UPDATE records SET stamp = '[9]' WHERE stamp = '[7]'")
        let again = folder.open()
        let stored = try await again.records(after: 0, of: "mqtt://a bluefleet", most: 9, folder.clock)
        #expect(stored.map(\.record.stamp) == [nil, "[8]"])
        #expect(try await again.report(of: "mqtt://a bluefleet", folder.clock).counters.changed == 1)
    }

    @Test func `records whose topic cannot be read are not copied, and the others are`() async throws {
        let folder = try SpoolFolder()
        let file = folder.open()
        _ = await file.append([folder.record(0), folder.record(1, topic: "d/u"), folder.record(2)], folder.clock)
        await file.close()
        try Database(folder.path, .readWrite).execute("DELETE FROM topics WHERE name = 'd/u'")
        let again = folder.open()
        #expect(try await folder.numbers(again) == [0, 2])
        #expect(try await again.report(of: "mqtt://a bluefleet", folder.clock).counters.changed == 1)
    }

    /// Returns a folder with a file of three records whose order in the table is reversed.
    private func reversed() async throws -> SpoolFolder {
        var folder = try SpoolFolder()
        folder.limits.age = .seconds(60)
        let file = folder.open()
        _ = await file.append((0..<3).map { folder.record($0) }, folder.clock)
        await file.close()
        var bytes = contents(folder.path)
        // The only leaf of a table with three cells; 8 bytes of header precede the offsets of the cells.
        let page = try #require(
            stride(from: pageSize, to: bytes.count, by: pageSize).first { bytes[$0] == 0x0D && bytes[$0 + 4] == 3 })
        bytes.swapAt(page + 8, page + 12)
        bytes.swapAt(page + 9, page + 13)
        write(bytes, to: folder.path)
        return folder
    }

    @Test func `records in the wrong order, which cannot be removed, do not block the file`() async throws {
        var folder = try await reversed()
        folder.pass(.seconds(70))
        let file = folder.open()
        #expect(await file.append([folder.record(3)], folder.clock).failure == nil)
        #expect(try await folder.numbers(file).last == 3)
        #expect(try await file.report(of: "mqtt://a bluefleet", folder.clock).counters.damage != nil)
    }

    @Test func `records in the wrong order are not read again and again`() async throws {
        let folder = try await reversed()
        let file = folder.open()
        let first = try await file.records(after: 0, of: "mqtt://a bluefleet", most: 200, folder.clock)
        #expect(!first.isEmpty && first.map(\.id) == first.map(\.id).sorted())
        #expect(try await file.report(of: "mqtt://a bluefleet", folder.clock).counters.damage != nil)
    }

    @Test func `the records around a damaged page are copied, with their numbers`() async throws {
        let folder = try SpoolFolder()
        let file = folder.open()
        let ids = await file.append((0..<3000).map { folder.record($0, size: 80) }, folder.clock).ids
        await file.close()
        var bytes = contents(folder.path)
        let middle = bytes.count / 2 / pageSize * pageSize
        for index in middle..<middle + pageSize { bytes[index] = 0xFF }
        write(bytes, to: folder.path)
        let again = folder.open()
        let numbers = try await folder.numbers(again)
        let copied = try await again.records(after: 0, of: "mqtt://a bluefleet", most: 10_000, folder.clock)
        #expect(numbers.count > 2900 && numbers.count < 3000)
        #expect(numbers == numbers.sorted() && numbers.first == 0 && numbers.last == 2999)
        #expect(copied.allSatisfy { ids.contains($0.id) && $0.record.time == folder.clock.time })
        let next = await again.append([folder.record(9)], folder.clock).ids
        #expect(next[0] > ids[2999])
    }

    @Test func `the file can be used whatever bytes it contains, and has no wrong record`() async throws {
        let folder = try SpoolFolder()
        let file = folder.open()
        _ = await file.append((0..<300).map { folder.record($0, size: 80) }, folder.clock)
        await file.close()
        let original = contents(folder.path)
        var random = SeededGenerator(seed: 20_261_125 &+ SeededGenerator.fuzzSeed)
        var readable = 0
        let runs = min(10_000, FuzzRuns.count(of: "BLUEFLEET_FUZZ_RUNS", default: 300))
        for _ in 0..<runs {
            var bytes = original
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let end = Bool.random(using: &random) ? bytes.count : 4096
                let index = Int.random(in: 0..<end, using: &random)
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            }
            write(bytes, to: folder.path)
            for suffix in ["-wal", "-shm"] { unlink(folder.path + suffix) }
            let damaged = folder.open()
            let numbers = try await folder.numbers(damaged)
            #expect(numbers == numbers.sorted() && numbers.allSatisfy { (0..<300).contains($0) })
            readable += numbers.count
            let ids = await damaged.append([folder.record(1)], folder.clock).ids
            #expect(
                try await damaged.records(after: ids[0] - 1, of: "mqtt://a bluefleet", most: 1, folder.clock).count == 1
            )
            await damaged.close()
        }
        #expect(readable > runs * 100)
    }
}
