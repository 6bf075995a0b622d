import Codec
import Configuration
import Testing

@testable import Devices

/// Which records of a history are published, and where the next series goes on.
@Suite struct HistoryProgressTests {
    private static let now: Int64 = 1_800_000_000
    private static let hour: Int64 = 3600

    private func progress(_ memory: HistoryMemory = HistoryMemory(), limit: Int = 10_000) throws -> HistoryProgress {
        let rules = Configuration.History(time: try Expression("t"), step: .seconds(3600), limit: limit)
        return HistoryProgress(rules, memory)
    }

    private func record(_ hours: Int64, _ members: (String, Decimal)...) -> HistoryRecord {
        let members = members.isEmpty ? [("n", Decimal(Int(-hours)))] : members
        return HistoryRecord(
            .fields(members.map { .init(name: $0.0, value: .number($0.1)) }), at: Self.now + hours * Self.hour)
    }

    /// Adds records at these hours from now; returns the hours of the published ones, and when the series was over.
    private func add(
        _ hours: [Int64], to progress: inout HistoryProgress, ends: Bool = true
    ) -> (published: [Int64], over: Int64?) {
        var published: [Int64] = []
        progress.begin(at: Self.now)
        for hour in hours {
            let outcome = progress.add(record(hour), at: Self.now)
            published += outcome.records.map { ($0.time - Self.now) / Self.hour }
            if outcome.isOver { return (published, hour) }
        }
        if ends { published += progress.end(at: Self.now).map { ($0.time - Self.now) / Self.hour } }
        return (published, nil)
    }

    @Test func `the first series reaches back one day`() throws {
        var progress = try progress()
        #expect(progress.since(at: Self.now) == Self.now - 86_400)
        #expect(add([-30, -24, -23, -1], to: &progress).published == [-23, -1])
        #expect(progress.memory.since == Self.now - Self.hour)
    }

    @Test func `a record less than half a step after the newest known one is a duplicate`() throws {
        var progress = try progress(HistoryMemory(since: Self.now - 5 * Self.hour))
        progress.begin(at: Self.now)
        for (seconds, isNew) in [(1799, false), (1800, true)] as [(Int64, Bool)] {
            _ = progress.add(record(-5).moved(by: seconds), at: Self.now)
            #expect(progress.end(at: Self.now).isEmpty != isNew)
            progress = try self.progress(HistoryMemory(since: Self.now - 5 * Self.hour))
            progress.begin(at: Self.now)
        }
    }

    @Test func `neighbours with one time are one record`() throws {
        var progress = try progress()
        progress.begin(at: Self.now)
        #expect(progress.add(record(-2, ("temperature", 21)), at: Self.now).records.isEmpty)
        #expect(progress.add(record(-2, ("humidity", 40)), at: Self.now).records.isEmpty)
        let first = progress.add(record(-1, ("temperature", 22)), at: Self.now).records
        #expect(first == [record(-2, ("temperature", 21), ("humidity", 40))])
        #expect(progress.end(at: Self.now) == [record(-1, ("temperature", 22))])
        #expect(progress.count == 2)
        #expect(progress.memory.last == ["temperature": 22])
    }

    @Test func `if times rise, the next series goes on after the published records`() throws {
        var progress = try progress()
        #expect(add([-9, -8, -7], to: &progress, ends: false).published == [-9, -8])
        progress.interrupt(at: Self.now)
        // The record at -7 may have been incomplete.
        #expect(progress.memory.since == Self.now - 8 * Self.hour)
        #expect(add([-9, -8, -7, -6], to: &progress).published == [-7, -6])
    }

    @Test func `if times fall, the series ends at a known record, and since moves at its end`() throws {
        let memory = HistoryMemory(since: Self.now - 5 * Self.hour)
        var progress = try progress(memory)
        let (published, over) = add([-1, -2, -3, -4, -5, -6], to: &progress)
        #expect(published == [-1, -2, -3] && over == -5)
        #expect(progress.memory.since == memory.since)
        #expect(progress.end(at: Self.now).map(\.time) == [Self.now - 4 * Self.hour])
        #expect(progress.memory.since == Self.now - Self.hour)
        #expect(progress.memory.last == ["n": 1])
    }

    @Test func `after a break of falling times, nothing is lost`() throws {
        var progress = try progress(HistoryMemory(since: Self.now - 5 * Self.hour))
        #expect(add([-1, -2, -3], to: &progress, ends: false).published == [-1, -2])
        progress.interrupt(at: Self.now)
        #expect(add([-1, -2, -3, -4, -5], to: &progress).over == -5)
        progress.interrupt(at: Self.now)
        #expect(progress.memory.since == Self.now - 5 * Self.hour)
    }

    @Test(arguments: [Int64.min, -1, 1_800_086_401, .max])
    func `a record with an impossible time is dropped`(time: Int64) throws {
        var progress = try progress()
        progress.begin(at: Self.now)
        let outcome = progress.add(HistoryRecord(.value(1, unit: nil), at: time), at: Self.now)
        #expect(outcome.records.isEmpty && !outcome.isOver)
        #expect(progress.end(at: Self.now).isEmpty)
        #expect(progress.memory.since == nil)
    }

    @Test func `a clock that is ahead does not hide later records`() throws {
        var progress = try progress()
        #expect(add([3], to: &progress).published == [3])
        #expect(progress.memory.since == Self.now)
    }

    @Test func `a series has a limit, and the next one goes on behind it`() throws {
        var progress = try progress(limit: 2)
        #expect(add([-9, -8, -7, -6, -5], to: &progress).over == -7)
        #expect(progress.end(at: Self.now).isEmpty)
        #expect(progress.count == 2)
        #expect(add([-9, -8, -7, -6, -5], to: &progress).published == [-7, -6])
    }

    @Test func `records that are sent again are published once if times rise`() throws {
        var progress = try progress()
        _ = add([-9, -8, -7], to: &progress, ends: false)
        progress.repeatRecords(at: Self.now)
        var published: [Int64] = []
        for hour in [-9, -8, -7, -6] as [Int64] {
            published += progress.add(record(hour), at: Self.now).records.map { ($0.time - Self.now) / Self.hour }
        }
        #expect(published == [-7])
    }

    @Test func `a device that always cuts off falling times is asked less often`() throws {
        var progress = try progress()
        for count in 1...3 {
            _ = add([-1, -2, -3], to: &progress, ends: false)
            progress.interrupt(at: Self.now)
            #expect(progress.isDue(at: Self.now) == (count < 3))
        }
    }

    @Test func `lost records are published by the next series`() throws {
        let memory = HistoryMemory(since: Self.now - 10 * Self.hour)
        var progress = try progress(memory)
        _ = add([-9, -8, -7], to: &progress, ends: false)
        progress.restore(memory)
        #expect(progress.end(at: Self.now).isEmpty)
        #expect(add([-9, -8], to: &progress).published == [-9, -8])
    }

    @Test func `a series that was cut off goes on at once, and one without an answer later`() throws {
        var progress = try progress()
        _ = add([-9], to: &progress, ends: false)
        progress.interrupt(at: Self.now)
        #expect(progress.isDue(at: Self.now))
        _ = add([-9], to: &progress, ends: false)
        progress.fail(at: Self.now)
        #expect(!progress.isDue(at: Self.now))
    }

    @Test func `records are asked for after a gap, and seldom`() throws {
        let gap: Int64 = 1800
        #expect(try progress().isDue(at: Self.now))
        #expect(try !progress(HistoryMemory(since: Self.now - gap)).isDue(at: Self.now))
        #expect(try progress(HistoryMemory(since: Self.now - gap - 1)).isDue(at: Self.now))
        #expect(try !progress(HistoryMemory(asked: Self.now - 6 * Self.hour + 1)).isDue(at: Self.now))
        #expect(try progress(HistoryMemory(asked: Self.now - 6 * Self.hour)).isDue(at: Self.now))
        // After the clock was set back.
        #expect(try progress(HistoryMemory(asked: Self.now + 1)).isDue(at: Self.now))
    }

    @Test func `a published value moves since only if no record is missing`() throws {
        var progress = try progress(HistoryMemory(since: Self.now - 60))
        progress.notePublished(at: Self.now)
        #expect(progress.memory.since == Self.now)
        progress.notePublished(at: Self.now + 1801)
        #expect(progress.memory.since == Self.now)
    }
}

extension HistoryRecord {
    fileprivate func moved(by seconds: Int64) -> HistoryRecord {
        HistoryRecord(reading, at: time + seconds)
    }
}
