import Spool
import System
import TestSupport

/// One random schedule, with a model of what the file must contain.
struct ModelRun: ~Copyable {
    struct Totals: CustomStringConvertible {
        var (kept, acknowledged, dropped, expired) = (0, 0, 0, 0)
        var (cuts, refusals, damages) = (0, 0, 0)

        mutating func add(_ other: Totals) {
            kept += other.kept
            acknowledged += other.acknowledged
            dropped += other.dropped
            expired += other.expired
            cuts += other.cuts
            refusals += other.refusals
            damages += other.damages
        }

        var description: String {
            "\(kept) records kept, \(acknowledged) acknowledged, \(dropped) dropped, \(expired) expired; "
                + "\(cuts) power cuts, \(refusals) failures of the disk, \(damages) damaged files"
        }
    }

    private enum Step: CaseIterable {
        case keep, keepMany, acknowledge, reopen, wait
    }

    /// A violated property.
    private struct Problem: Error {
        let text: String
    }

    private static let brokers = ["mqtt://a bluefleet", "mqtt://b bluefleet"]
    private static let suffixes = ["", "-wal", "-shm"]

    private var random: SeededGenerator
    private var disk: FaultyDisk
    private var file: SpoolFile
    private let limits: SpoolLimits
    private var clock: ClockReading
    private var lastNumber = 0
    private var highestID: Int64 = 0
    /// The records that must be there: number of the record by its identifier.
    private var expected: [Int64: Int] = [:]
    /// Identifiers of records that may be missing: their removal has failed, or was cut.
    private var mayVanish: Set<Int64> = []
    /// Numbers of records that may be there: their insertion has failed, or was cut.
    private var mayAppear: Set<Int> = []
    /// The records that the present file object has removed because of its limits.
    private var removed = (dropped: 0, expired: 0)
    /// The same number since the last comparison, over all file objects.
    private var removedSinceCheck = 0
    /// Whether the file was opened again without a fault, so that each failed operation is decided.
    private var isDecided = false
    /// Whether bytes of the file were changed: what it must contain is not known any more.
    private var isDamaged = false
    /// The planned fault of the present step.
    private var fault: FaultyDisk.Fault?
    private(set) var totals = Totals()
    private(set) var journal: [String] = []

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        disk = try FaultyDisk()
        limits = SpoolLimits(
            size: Bool.random(using: &random) ? 1_000_000 : 64_000_000,
            age: Bool.random(using: &random) ? .seconds(600) : .seconds(604_800), freeSpace: 0)
        file = SpoolFile(in: disk.path, limits: limits)
        clock = ClockReading(
            boot: "boot 0", time: Timestamp(milliseconds: 1_800_000_000_000), moment: Instant(nanoseconds: 0),
            isSynchronized: true)
    }

    /// Performs the schedule; returns the violated property, or nil.
    mutating func perform() async -> String? {
        do {
            for _ in 0..<Int.random(in: 5...40, using: &random) { try await step() }
            return nil
        } catch let problem as Problem {
            journal.append(problem.text)
            return problem.text
        } catch {
            journal.append("\(error)")
            return "\(error)"
        }
    }

    private mutating func step() async throws {
        pass(.milliseconds(Int.random(in: 50...2000, using: &random)))
        let fault =
            Int.random(in: 0..<3, using: &random) == 0 ? FaultyDisk.Fault.allCases.randomElement(using: &random) : nil
        let step = Step.allCases.randomElement(using: &random) ?? .keep
        journal.append("\(step)\(fault.map { " with \($0)" } ?? "")")
        let isNearlyFull = disk.size(of: "spool.db", Self.suffixes) > limits.size / 4
        isDecided = step == .reopen && fault == nil
        self.fault = fault
        if let fault {
            disk.plan(fault, after: Int.random(in: 0...30, using: &random), seed: random.next())
        }
        switch step {
        case .keep: try await keep(Int.random(in: 1...20, using: &random), longest: 200)
        case .keepMany: try await keep(Int.random(in: 20...300, using: &random), longest: 2000)
        case .acknowledge: await acknowledge()
        case .reopen: await reopen()
        case .wait: pass(.seconds(Int.random(in: 1...300, using: &random)))
        }
        let hasFault = fault != nil && disk.hasFault
        disk.clear()
        if hasFault, fault == .powerCut {
            try await cut()
        } else if hasFault {
            totals.refusals += 1
            // The removal of the oldest records may have failed; after the next start, they may be missing.
            mayVanish.formUnion(expected.keys.sorted().prefix(isNearlyFull ? 512 : 1))
        } else if Int.random(in: 0..<10, using: &random) == 0 {
            disk.cut(seed: random.next())
            try await cut()
        }
        if Int.random(in: 0..<60, using: &random) == 0 { await damage() }
        try await check()
    }

    private mutating func pass(_ duration: Duration) {
        clock = ClockReading(
            boot: clock.boot, time: Timestamp(milliseconds: clock.time.milliseconds + duration.nanoseconds / 1_000_000),
            moment: clock.moment + duration, isSynchronized: true)
    }

    // MARK: Steps

    private mutating func keep(_ count: Int, longest: Int) async throws {
        let records = (0..<count).map { _ in
            lastNumber += 1
            let filling = [UInt8](repeating: 0x20, count: Int.random(in: 0...longest, using: &random))
            return SpoolRecord(
                broker: Self.brokers.randomElement(using: &random) ?? "", topic: "d/t",
                payload: Array("\(lastNumber)".utf8) + filling,
                isBare: false, time: clock.time, moment: clock.moment)
        }
        let first = lastNumber - count + 1
        let (ids, failure) = await file.append(records, clock)
        if let failure { journal.append("\(ids.count) of \(count) kept: \(failure)") }
        totals.kept += ids.count
        if disk.hasFault {
            mayAppear.formUnion(first...lastNumber)
        }
        for (offset, id) in ids.enumerated() {
            try require(id > highestID, "number \(id) after \(highestID)")
            highestID = id
            // A record that was added after the cut is not there.
            if !(fault == .powerCut && disk.hasFault) { expected[id] = first + offset }
        }
    }

    private mutating func acknowledge() async {
        let ids = expected.keys.sorted().prefix(Int.random(in: 0...400, using: &random)).filter { _ in
            Int.random(in: 0..<8, using: &random) > 0
        }
        do {
            try await file.remove(ids, clock)
            totals.acknowledged += ids.count
            for id in ids {
                let number = expected.removeValue(forKey: id)
                if fault == .powerCut, disk.hasFault, let number { mayAppear.insert(number) }
            }
        } catch {
            journal.append("not removed: \(error)")
            mayVanish.formUnion(ids)
        }
    }

    private mutating func reopen() async {
        await file.close()
        open()
    }

    private mutating func open() {
        file = SpoolFile(in: disk.path, limits: limits)
        removed = (0, 0)
    }

    /// Starts the machine again after a power cut.
    private mutating func cut() async throws {
        totals.cuts += 1
        // The records that the file has removed before and after the cut may be there, or not.
        try countRemoved(await file.report(of: Self.brokers[0], clock))
        await file.close()
        disk.restart()
        open()
        isDecided = true
        // The start of the machine takes a while.
        pass(.seconds(Int.random(in: 1...60, using: &random)))
        clock = ClockReading(
            boot: "boot \(totals.cuts)", time: clock.time, moment: Instant(nanoseconds: 0), isSynchronized: true)
    }

    private mutating func damage() async {
        journal.append("damage")
        totals.damages += 1
        await file.close()
        pass(.seconds(1))
        disk.damage("spool.db", &random)
        isDamaged = true
        open()
    }

    // MARK: Properties

    /// Compares the file with the model; the model then continues with what the file contains.
    private mutating func check() async throws {
        var stored: [(id: Int64, number: Int)] = []
        for broker in Self.brokers { stored += try await storedRecords(of: broker) }
        stored.sort { $0.id < $1.id }
        let report = try await file.report(of: Self.brokers[0], clock)
        try countRemoved(report)
        try require(
            report.total == stored.count || isDamaged, "\(report.total) records reported, \(stored.count) stored")
        let sizes = Self.suffixes.map { disk.size(of: "spool.db", [$0]) }
        // A damaged header may hide pages for a while.
        try require(sizes.reduce(0, +) <= limits.size * (isDamaged ? 2 : 1), "\(sizes) bytes on the disk")
        if !isDamaged {
            try require(Set(stored.map(\.id)).count == stored.count, "a number is used twice")
            try require(report.counters.damage == nil, "damaged: \(report.counters.damage ?? "")")
            try require(stored.map(\.number) == stored.map(\.number).sorted(), "the order is broken")
            try compare(stored)
        }
        expected = Dictionary(stored.map { ($0.id, $0.number) }) { first, _ in first }
        removedSinceCheck = 0
        if isDecided { (mayVanish, mayAppear) = ([], []) }
        if let last = stored.last, !isDamaged { highestID = max(highestID, last.id) }
    }

    /// Takes the oldest records out of the model that the file has removed because of its limits.
    private mutating func countRemoved(_ report: SpoolReport) throws {
        let counters = report.counters
        let (dropped, expired) = (counters.dropped - removed.dropped, counters.expired - removed.expired)
        removed = (counters.dropped, counters.expired)
        totals.dropped += dropped
        totals.expired += expired
        removedSinceCheck += dropped + expired
        mayVanish.formUnion(expected.keys.sorted().prefix(removedSinceCheck))
    }

    private func compare(_ stored: [(id: Int64, number: Int)]) throws {
        let numbers = Dictionary(uniqueKeysWithValues: stored)
        for (id, number) in expected where !mayVanish.contains(id) {
            try require(numbers[id] == number, "record \(number) (\(id)) is lost: \(numbers[id] ?? 0)")
        }
        for (id, number) in stored {
            try require(expected[id] == number || mayAppear.contains(number), "record \(number) (\(id)) was not kept")
        }
    }

    private func storedRecords(of broker: String) async throws -> [(id: Int64, number: Int)] {
        var (stored, last): ([(id: Int64, number: Int)], Int64) = ([], 0)
        while true {
            let records = try await file.records(after: last, of: broker, most: 200, clock)
            for record in records {
                try require(record.id > last, "the order is broken: \(record.id) after \(last)")
                last = record.id
                let digits = record.record.payload.prefix(20).prefix { $0 != 0x20 }
                stored.append((last, Int(String(decoding: digits, as: UTF8.self)) ?? -1))
            }
            guard !records.isEmpty else { return stored }
        }
    }

    private func require(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
        guard condition else { throw Problem(text: problem()) }
    }
}
