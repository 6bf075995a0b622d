import Glibc
import System
import TestSupport
import Testing

@testable import Spool

/// Copies of messages that an end of the process does not lose.
@Suite struct JournalTests {
    private func journal(_ folder: SpoolFolder) -> SpoolJournal {
        SpoolJournal(in: folder.folder.path, limits: folder.limits, shared: nil)
    }

    private func records(_ numbers: ClosedRange<Int>, _ folder: SpoolFolder, size: Int = 0) -> [SpoolRecord] {
        numbers.map { folder.record($0, size: size) }
    }

    /// Returns the contents of the first file of the journal.
    private func contents(_ folder: SpoolFolder) -> [UInt8] {
        guard let file = fopen("\(folder.folder.path)/journal.0", "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }

    private func write(_ bytes: [UInt8], _ folder: SpoolFolder) {
        guard let file = fopen("\(folder.folder.path)/journal.0", "w") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    @Test func `records of the journal are added once after a crash, with their times`() async throws {
        var folder = try SpoolFolder()
        let copies = records(1...2, folder) + [folder.record(3, stamp: "[7]")]
        try await journal(folder).append(copies, folder.clock)
        folder.pass(.seconds(5))
        #expect(SpoolJournal.exists(in: folder.folder.path))
        let file = folder.open()
        #expect(try await file.recover(folder.clock) == 3)
        let stored = try await file.records(after: 0, of: "mqtt://a bluefleet", most: 9, folder.clock)
        #expect(stored.map(\.record.payload) == copies.map(\.payload))
        #expect(stored.map(\.record.stamp) == [nil, nil, "[7]"])
        #expect(stored.allSatisfy { $0.record.time == copies[0].time && $0.record.moment == copies[0].moment })
        #expect(stored.allSatisfy { $0.correctedTime == nil && !$0.isTimeUncertain })
        #expect(!SpoolJournal.exists(in: folder.folder.path))
        #expect(try await file.recover(folder.clock) == 0)
    }

    @Test func `records of the year 2300 in the journal are added once after a crash`() async throws {
        var folder = try SpoolFolder()
        folder.setClock(to: 10_413_792_000_000, isSynchronized: false)
        try await journal(folder).append(records(1...3, folder), folder.clock)
        let file = folder.open()
        #expect(try await file.recover(folder.clock) == 3)
        await file.close()
        let again = folder.open()
        #expect(try await again.recover(folder.clock) == 0)
        #expect(try await folder.numbers(again) == [1, 2, 3])
        #expect(try await again.report(of: "mqtt://a bluefleet", folder.clock).counters.damage == nil)
    }

    @Test func `records that are in the file are not added again`() async throws {
        let folder = try SpoolFolder()
        // Two equal messages are two messages.
        let copies = records(1...3, folder) + records(3...4, folder)
        try await journal(folder).append(copies, folder.clock)
        var file = folder.open()
        _ = await file.append(Array(copies.prefix(3)), folder.clock)
        await file.close()
        #expect(try SpoolContents(of: folder.folder.path).count == 5)
        file = folder.open()
        #expect(try await file.recover(folder.clock) == 2)
        #expect(try await folder.numbers(file) == [1, 2, 3, 3, 4])
    }

    @Test func `after another start of the machine the times are those of the first one`() async throws {
        var folder = try SpoolFolder()
        folder.pass(.seconds(500))
        let copies = records(1...2, folder)
        try await journal(folder).append(copies, folder.clock)
        folder.reboot("second", at: 1_800_009_000_000, isSynchronized: true)
        let file = folder.open()
        #expect(try await file.recover(folder.clock) == 2)
        let stored = try await file.records(after: 0, of: "mqtt://a bluefleet", most: 9, folder.clock)
        #expect(stored.allSatisfy { $0.record.time == copies[0].time })
        #expect(stored.allSatisfy { $0.correctedTime == nil && !$0.isTimeUncertain })
    }

    @Test func `a released file is empty, and the other one remains`() async throws {
        let folder = try SpoolFolder()
        let journal = journal(folder)
        try await journal.append(records(1...2, folder), folder.clock)
        await journal.seal()
        try await journal.append(records(3...3, folder), folder.clock)
        // The first file is not empty: the second one stays in use.
        await journal.seal()
        try await journal.append(records(4...4, folder), folder.clock)
        #expect(try SpoolContents(of: folder.folder.path).count == 4)
        await journal.release()
        #expect(try SpoolContents(of: folder.folder.path).count == 2)
        await journal.seal()
        await journal.release()
        #expect(!SpoolJournal.exists(in: folder.folder.path))
        try await journal.append(records(5...5, folder), folder.clock)
        await journal.clear()
        #expect(!SpoolJournal.exists(in: folder.folder.path))
        try await journal.append(records(6...6, folder), folder.clock)
        #expect(try await folder.open().recover(folder.clock) == 1)
    }

    @Test func `in memory, the journal is in a private folder, and belongs to one folder only`() throws {
        let folder = try SpoolFolder()
        let (shared, path) = (folder.folder.path("shared"), folder.folder.path)
        #expect(JournalFolder.path(for: path, in: shared) == nil)
        mkdir(shared, 0o777)
        chmod(shared, 0o777)
        #expect(JournalFolder.path(for: path, in: shared) == nil, "another user can change it")
        chmod(shared, 0o700)
        let name = JournalFolder.path(for: path, in: shared)
        let spool = folder.folder.path("spool")
        mkdir(spool, 0o700)
        let first = try #require(JournalFolder.path(for: spool, in: shared))
        rmdir(spool)
        mkdir(spool, 0o700)
        #expect(name != first && JournalFolder.path(for: spool, in: shared) != first, "a new folder has a new journal")
        unlink(shared)
        rmdir(shared)
        symlink(path, shared)
        #expect(JournalFolder.path(for: spool, in: shared) == nil)
    }

    @Test func `the journal in memory is read after a crash`() async throws {
        let folder = try SpoolFolder()
        guard let shared = JournalFolder.shared else { return }
        let journal = SpoolJournal(in: folder.folder.path, limits: folder.limits, shared: shared)
        try await journal.append(records(1...3, folder), folder.clock)
        #expect(try SpoolContents(of: folder.folder.path).count == 3)
        #expect(try await folder.open().recover(folder.clock) == 3)
        let place = try #require(JournalFolder.path(for: folder.folder.path))
        #expect(access(place, F_OK) != 0)
        let next = SpoolJournal(in: folder.folder.path, limits: folder.limits, shared: shared)
        for _ in 1...2 {
            try await next.append(records(4...4, folder), folder.clock)
            #expect(access(place, F_OK) == 0)
            await next.clear()
            #expect(access(place, F_OK) != 0)
        }
    }

    // MARK: Limits

    @Test func `the journal is bounded, and leaves space free`() async throws {
        var folder = try SpoolFolder()
        folder.limits = SpoolLimits(size: 1_000_000, freeSpace: 0)
        let small = journal(folder)
        var count = 0
        while (try? await small.append(records(1...1, folder, size: 1000), folder.clock)) != nil { count += 1 }
        #expect((50...62).contains(count))
        #expect(contents(folder).count <= folder.limits.journalSize)
        folder.limits = SpoolLimits(freeSpace: .max / 2)
        let copies = records(1...1, folder)
        await #expect(throws: SpoolError.self) { try await journal(folder).append(copies, folder.clock) }
    }

    // MARK: Damage

    @Test func `a torn end is ignored`() async throws {
        let folder = try SpoolFolder()
        try await journal(folder).append(records(1...5, folder), folder.clock)
        let bytes = contents(folder)
        for size in bytes.indices {
            let found = JournalContents(Array(bytes.prefix(size))).parts.flatMap(\.records).map(\.payload)
            #expect(found == Array(records(1...5, folder).map(\.payload).prefix(found.count)))
            #expect(found.count >= 5 * size / bytes.count - 1)
        }
        write(bytes.dropLast(), folder)
        #expect(try await folder.open().recover(folder.clock) == 4)
    }

    @Test func `a changed byte costs one record, and is counted`() async throws {
        let folder = try SpoolFolder()
        try await journal(folder).append(records(1...50, folder, size: 40), folder.clock)
        let bytes = contents(folder)
        let original = records(1...50, folder, size: 40).map(\.payload)
        // A record without its clock has no time.
        let first = try #require(JournalFrame.clock(folder.clock).bytes).count
        var random = SeededGenerator(seed: 1)
        for _ in 0..<300 {
            var changed = bytes
            let index = Int.random(in: first..<bytes.count, using: &random)
            changed[index] ^= UInt8.random(in: 1...255, using: &random)
            let journal = JournalContents(changed)
            let found = journal.parts.flatMap(\.records).map(\.payload)
            #expect(found.count == 49 && found.allSatisfy(original.contains), "byte \(index)")
        }
        var changed = bytes
        changed[first + JournalFrame.headerSize + 20] ^= 1
        write(changed, folder)
        let file = folder.open()
        #expect(try await file.recover(folder.clock) == 49)
        #expect(try await file.report(of: "mqtt://a bluefleet", folder.clock).counters.changed == 1)
    }

    /// The processor time of this thread, in seconds.
    private func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Frames that claim 4 GB, 1 MiB, 64 KiB and nothing.
    @Test(arguments: [[0xff, 0xff, 0xff, 0xff], [0, 0, 0x10, 0], [0, 0, 1, 0], [0, 0, 0, 0]] as [[UInt8]])
    func `rubbish of 100 MB is read in part, and removed`(length: [UInt8]) async throws {
        let folder = try SpoolFolder()
        let frame = JournalFrame.mark + length + [1, 2, 3, 4]
        let rubbish = (0..<20_000).flatMap { _ in frame }
        // A checksum of each of the frames of 64 KiB would need minutes.
        let start = processorTime()
        #expect(JournalContents(rubbish).parts.isEmpty)
        #expect(processorTime() - start < 20)
        write(rubbish, folder)
        truncate("\(folder.folder.path)/journal.0", 100_000_000)
        #expect(try await folder.open().recover(folder.clock) == 0)
        #expect(!SpoolJournal.exists(in: folder.folder.path))
        #expect(try SpoolContents(of: folder.folder.path).count == 0)
    }

    @Test(arguments: ["symlink", "link", "mkfifo"])
    func `a link or a pipe in the place of the journal is not used`(kind: String) async throws {
        let folder = try SpoolFolder()
        let (path, target) = ("\(folder.folder.path)/journal.0", folder.folder.path("target"))
        try folder.folder.write("precious", to: "target")
        switch kind {
        case "symlink": symlink(target, path)
        case "link": link(target, path)
        default: mkfifo(path, 0o600)
        }
        #expect(try await folder.open().recover(folder.clock) == 0)
        let copies = records(1...1, folder)
        await #expect(throws: SpoolError.self) { try await journal(folder).append(copies, folder.clock) }
        JournalContents.remove(in: folder.folder.path)
        #expect(try TextFile.read(ifPresent: target) == "precious")
    }

    // MARK: Model

    /// Random schedules of copies, stored messages and crashes: after a crash, each message is there once.
    @Test(arguments: 0..<40)
    func `each message is there once after a crash`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var folder = try SpoolFolder()
        var (journal, file) = (journal(folder), folder.open())
        var (count, waiting): (Int, [SpoolRecord]) = (0, [])
        for _ in 0..<20 {
            folder.pass(.milliseconds(100))
            switch Int.random(in: 0..<5, using: &random) {
            case 0...2:
                let first = count + 1
                count += Int.random(in: 1...5, using: &random)
                let copies = records(first...count, folder)
                try await journal.append(copies, folder.clock)
                waiting += copies
            case 3:
                let handedOver = waiting
                waiting = []
                await journal.seal()
                if Bool.random(using: &random) {
                    count += 1
                    let copies = records(count...count, folder)
                    try await journal.append(copies, folder.clock)
                    waiting += copies
                }
                #expect(await file.append(handedOver, folder.clock).failure == nil)
                // A crash can precede this step.
                if Bool.random(using: &random) { await journal.release() }
            default:
                await file.close()
                (journal, file, waiting) = (self.journal(folder), folder.open(), [])
                _ = try await file.recover(folder.clock)
                #expect(try await folder.numbers(file).sorted() == Array(1...max(1, count)).filter { $0 <= count })
            }
        }
    }
}
