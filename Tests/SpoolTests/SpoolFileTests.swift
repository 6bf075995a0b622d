import Glibc
import System
import TestSupport
import Testing

@testable import Spool

@Suite struct SpoolFileTests {
    @Test func `SpoolFile returns the records of each broker in order, also after a restart`() async throws {
        let folder = try SpoolFolder()
        let file = folder.open()
        let ids = await file.append((0..<1000).map { folder.record($0) }, folder.clock).ids
        _ = await file.append([folder.record(7, broker: "mqtt://b bluefleet")], folder.clock)
        #expect(ids == Array(ids[0]..<ids[0] + 1000))
        await file.close()
        let again = folder.open()
        #expect(try await folder.numbers(again) == Array(0..<1000))
        #expect(try await folder.numbers(again, broker: "mqtt://b bluefleet") == [7])
        #expect(try await folder.numbers(again, broker: "mqtt://c bluefleet") == [])
        let report = try await again.report(of: "mqtt://a bluefleet", folder.clock)
        #expect(report.waiting == 1000 && report.total == 1001 && report.oldest == folder.clock.time)
    }

    @Test func `SpoolFile follows no link, and its files can be read only by their owner`() async throws {
        let folder = try SpoolFolder()
        let other = try TemporaryFolder()
        defer { other.remove() }
        let victim = other.path + "/victim"
        try TextFile.write("precious", to: victim)
        for suffix in ["", "-wal", "-journal"] {
            try #require(symlink(victim, folder.path + suffix) == 0)
            let failure = await folder.open().append([folder.record(1)], folder.clock).failure
            #expect(failure?.description == "cannot use \(folder.path)\(suffix): it is a symbolic link: remove it")
            try #require(unlink(folder.path + suffix) == 0 && link(victim, folder.path + suffix) == 0)
            #expect(await folder.open().append([folder.record(1)], folder.clock).failure?.kind == .other)
            try #require(unlink(folder.path + suffix) == 0)
            unlink(folder.path)
        }
        #expect(TextFile.read(victim) == "precious")
        // The folder itself may be behind a link.
        try #require(symlink(folder.folder.path, other.path + "/link") == 0)
        let file = SpoolFile(in: other.path + "/link", limits: folder.limits)
        #expect(await file.append([folder.record(1)], folder.clock).failure == nil)
        for suffix in ["", "-wal"] {
            var status = stat()
            #expect(stat(folder.path + suffix, &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
    }

    @Test func `a file of version 3 is upgraded: its records remain, and further ones can have stamps`() async throws {
        let folder = try SpoolFolder()
        let former = folder.open()
        _ = await former.append([folder.record(1)], folder.clock)
        await former.close()
        try Database(folder.path, .readWrite).execute("ALTER TABLE records DROP COLUMN stamp; PRAGMA user_version = 3")
        #expect(try SpoolContents(of: folder.folder.path).count == 1)
        let file = folder.open()
        _ = await file.append([folder.record(2, stamp: "[7]"), folder.record(3)], folder.clock)
        let records = try await file.records(after: 0, of: "mqtt://a bluefleet", most: 9, folder.clock)
        #expect(records.map(\.record.stamp) == [nil, "[7]", nil])
        #expect(records.map(\.isOfPresentStart) == [true, true, true])
        #expect(try await folder.numbers(file) == [1, 2, 3])
        #expect(try await file.report(of: "mqtt://a bluefleet", folder.clock).counters.damage == nil)
    }

    @Test func `SpoolFile gives no record a number below the given one`() async throws {
        let folder = try SpoolFolder()
        let (file, clock) = (folder.open(), folder.clock)
        let first = await file.append([folder.record(1)], clock).ids[0] + 50
        let ids = await file.append([folder.record(2), folder.record(3)], from: first, clock).ids
        #expect(ids == [first, first + 1])
    }

    @Test func `numbers rise after all records were removed, and after the file was lost`() async throws {
        var folder = try SpoolFolder()
        let file = folder.open()
        let first = await file.append([folder.record(1), folder.record(2)], folder.clock).ids
        try await file.remove(first, folder.clock)
        await file.close()
        // The clock goes back by an hour.
        folder.pass(.seconds(-3600))
        let second = await folder.open().append([folder.record(3)], folder.clock).ids
        #expect(second[0] > first[1])
        #expect(unlink(folder.path) == 0)
        folder.pass(.seconds(3601))
        let third = await folder.open().append([folder.record(4)], folder.clock).ids
        #expect(third[0] > second[0] && third[0] < 1 << 53)
    }

    @Test func `a full SpoolFile removes the oldest records of the device with the most bytes`() async throws {
        var folder = try SpoolFolder()
        folder.limits = SpoolLimits(size: 1_000_000, freeSpace: 0)
        let file = folder.open()
        // A device with two topics sends 850 values per topic for each value of the slow device.
        for second in 0..<60 {
            let fast = (0..<1700).map { folder.record($0, topic: "fast/\($0 % 2)") }
            let batch = fast + [folder.record(1_000_000 + second, topic: "slow/temperature")]
            #expect(await file.append(batch, folder.clock).failure == nil)
        }
        let numbers = try await folder.numbers(file)
        #expect(numbers.filter { $0 >= 1_000_000 } == (0..<60).map { 1_000_000 + $0 })
        #expect(numbers.last { $0 < 1_000_000 } == 1699)
        #expect(try await file.report(of: "mqtt://a bluefleet", folder.clock).bytes <= 1_000_000)
        // After a restart, the sizes of the devices are known.
        await file.close()
        let again = folder.open()
        _ = await again.append((0..<5000).map { folder.record($0, topic: "fast/0") }, folder.clock)
        #expect(try await folder.numbers(again).count { $0 >= 1_000_000 } == 60)
    }

    @Test func `records of the year 2260 are intact after a restart, and numbers rise`() async throws {
        var folder = try SpoolFolder()
        let before = await folder.open().append([folder.record(1)], folder.clock).ids
        folder.setClock(to: 9_151_488_000_000, isSynchronized: false)
        let file = folder.open()
        let ids = await file.append([folder.record(2), folder.record(3)], folder.clock).ids
        #expect(ids == [before[0] + 1, before[0] + 2])
        await file.close()
        let again = folder.open()
        #expect(try await folder.numbers(again) == [1, 2, 3])
        #expect(try await again.report(of: "mqtt://a bluefleet", folder.clock).counters.damage == nil)
    }

    @Test func `a clock at the last exact number leaves room for further records`() async throws {
        var folder = try SpoolFolder()
        // 2255-06-05T23:47:34.740: the microseconds since 1970 are just below 2 to the power of 53.
        folder.setClock(to: 9_007_199_254_740, isSynchronized: false)
        let file = folder.open()
        _ = await file.append((0..<2000).map { folder.record($0) }, folder.clock)
        await file.close()
        folder.reboot("second", at: 1_800_000_000_000, isSynchronized: true)
        let again = folder.open()
        #expect(try await folder.numbers(again) == Array(0..<2000))
        #expect(await again.append([folder.record(2000)], folder.clock).failure == nil)
        #expect(try await again.report(of: "mqtt://a bluefleet", folder.clock).counters.damage == nil)
    }

    @Test func `the number of a removed record is not used again, although older records remain`() async throws {
        var folder = try SpoolFolder()
        let file = folder.open()
        let ids = await file.append([folder.record(1), folder.record(2)], folder.clock).ids
        try await file.remove([ids[1]], folder.clock)
        await file.close()
        folder.pass(.seconds(-3600))
        #expect(await folder.open().append([folder.record(3)], folder.clock).ids[0] > ids[1])
    }

    @Test func `SpoolContents reads the file while a bridge writes it, and changes nothing`() async throws {
        let folder = try SpoolFolder()
        let file = folder.open()
        // The first records are in the file, because SQLite's log is shorter; the last ones are only in the log.
        for start in stride(from: 0, to: 10_000, by: 100) {
            _ = await file.append((start..<start + 100).map { folder.record($0, size: 80) }, folder.clock)
        }
        _ = await file.append([folder.record(10_000, topic: "e/u")], folder.clock)
        let contents = try SpoolContents(of: folder.folder.path)
        #expect(contents.groups.map(\.topic) == ["d/t", "e/u"] && contents.groups.map(\.count) == [10_000, 1])
        #expect(contents.oldest == folder.clock.time)
        _ = await file.append([folder.record(10_001)], folder.clock)
        #expect(try SpoolContents(of: folder.folder.path).count == 10_002)
        // The index of the log is in memory.
        #expect(FileSystem.size(of: folder.path + "-wal") ?? 0 > 0 && FileSystem.size(of: folder.path + "-shm") == nil)
        await file.close()
        #expect(try SpoolContents(of: folder.folder.path).count == 10_002)
        #expect(Folder.names(in: folder.folder.path) == ["spool.db"])
        #expect(try await folder.numbers(folder.open()) == Array(0...10_001))
    }

    @Test func `SpoolContents reads a file whose path has characters of an address`() async throws {
        let folder = try SpoolFolder()
        let name = folder.folder.path("50% of #1?immutable=0")
        let file = SpoolFile(in: name, limits: folder.limits)
        _ = await file.append([folder.record(1)], folder.clock)
        #expect(try SpoolContents(of: name).count == 1)
        await file.close()
        #expect(try SpoolContents(of: name).count == 1)
    }

    @Test func `the number of a new record is the time in microseconds since 1970, or larger`() async throws {
        var folder = try SpoolFolder()
        let file = folder.open()
        _ = await file.append([folder.record(1)], folder.clock)
        folder.pass(.seconds(10))
        let ids = await file.append([folder.record(2)], folder.clock).ids
        #expect(ids == [folder.clock.time.milliseconds * 1000])
    }

    @Test func `a full file drops the oldest records and stays below its size`() async throws {
        var folder = try SpoolFolder()
        folder.limits.size = 1_000_000
        let file = folder.open()
        for start in stride(from: 0, to: 20_000, by: 100) {
            _ = await file.append((start..<start + 100).map { folder.record($0, size: 80) }, folder.clock)
        }
        let numbers = try await folder.numbers(file)
        let report = try await file.report(of: "mqtt://a bluefleet", folder.clock)
        #expect(numbers.count == report.waiting && report.counters.dropped == 20_000 - report.waiting)
        #expect(numbers == Array(20_000 - report.waiting..<20_000))
        #expect(report.waiting > 2000)
        let sizes = ["", "-wal", "-shm"].map { suffix in
            var status = stat()
            return stat(folder.path + suffix, &status) == 0 ? Int(status.st_size) : 0
        }
        #expect(sizes.reduce(0, +) <= 1_000_000, "\(sizes)")
    }

    @Test func `without free space the file does not grow`() async throws {
        var folder = try SpoolFolder()
        let file = folder.open()
        _ = await file.append((0..<1000).map { folder.record($0, size: 80) }, folder.clock)
        folder.limits.freeSpace = .max / 4
        await file.use(folder.limits)
        for start in stride(from: 1000, to: 3000, by: 100) {
            _ = await file.append((start..<start + 100).map { folder.record($0, size: 80) }, folder.clock)
        }
        let numbers = try await folder.numbers(file)
        #expect(numbers.last == 2999 && numbers.count < 1500 && numbers == Array(3000 - numbers.count..<3000))
    }

    @Test func `records above the maximum age are removed`() async throws {
        var folder = try SpoolFolder()
        folder.limits.age = .seconds(60)
        let file = folder.open()
        _ = await file.append([folder.record(1)], folder.clock)
        folder.pass(.seconds(50))
        _ = await file.append([folder.record(2)], folder.clock)
        folder.pass(.seconds(20))
        #expect(try await folder.numbers(file) == [2])
        let report = try await file.report(of: "mqtt://a bluefleet", folder.clock)
        #expect(report.counters.expired == 1 && report.waiting == 1)
    }

    @Test func `a clock that is not synchronized removes nothing`() async throws {
        var folder = try SpoolFolder()
        let file = folder.open()
        _ = await file.append([folder.record(1)], folder.clock)
        folder.setClock(to: 1_900_000_000_000, isSynchronized: false)
        #expect(try await folder.numbers(file) == [1])
    }

    @Test func `a time that was taken before the clock was set is corrected`() async throws {
        var folder = try SpoolFolder()
        folder.setClock(to: 5_000, isSynchronized: false)
        let file = folder.open()
        _ = await file.append([folder.record(1)], folder.clock)
        folder.pass(.seconds(30))
        folder.setClock(to: 1_800_000_030_000, isSynchronized: true)
        try await file.clockChanged(folder.clock)
        let record = try #require(
            await file.records(after: 0, of: "mqtt://a bluefleet", most: 1, folder.clock).first)
        #expect(record.correctedTime?.milliseconds == 1_800_000_000_000 && !record.isTimeUncertain)
        await file.close()
        folder.reboot("second", at: 1_800_000_100_000, isSynchronized: true)
        let later = try #require(
            await folder.open().records(after: 0, of: "mqtt://a bluefleet", most: 1, folder.clock).first)
        #expect(later.correctedTime?.milliseconds == 1_800_000_000_000 && !later.isTimeUncertain)
    }

    @Test func `a time of an earlier start without a set clock is uncertain, and has no age`() async throws {
        var folder = try SpoolFolder()
        folder.setClock(to: 5_000, isSynchronized: false)
        let file = folder.open()
        _ = await file.append([folder.record(1)], folder.clock)
        await file.close()
        folder.reboot("second", at: 1_800_000_000_000, isSynchronized: true)
        let record = try #require(
            await folder.open().records(after: 0, of: "mqtt://a bluefleet", most: 1, folder.clock).first)
        #expect(record.isTimeUncertain && record.correctedTime == nil)
    }

    @Test func `removeAll empties the file`() async throws {
        let folder = try SpoolFolder()
        let file = folder.open()
        #expect(try await file.removeAll(folder.clock) == 0)
        #expect(!SpoolFile.exists(in: folder.folder.path))
        _ = await file.append((0..<5000).map { folder.record($0, size: 80) }, folder.clock)
        #expect(try await file.removeAll(folder.clock) == 5000)
        #expect(try await folder.numbers(file) == [])
        await file.close()
        var status = stat()
        #expect(stat(folder.path, &status) == 0 && status.st_size < 100_000)
    }
}
