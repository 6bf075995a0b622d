package import Codec
import Configuration

/// The progress of a history between two connections; it is kept in the state folder.
package struct HistoryMemory: Equatable, Sendable {
    /// The time of the newest published record or value, in seconds since 1970; nil: none was published.
    package var since: Int64?
    /// When the last series ended without a break, in seconds since 1970; nil: never.
    package var asked: Int64?
    /// The numbers of the newest published record, by the names of its fields.
    package var last: [String: Decimal]

    package init(since: Int64? = nil, asked: Int64? = nil, last: [String: Decimal] = [:]) {
        self.since = since
        self.asked = asked
        self.last = last
    }
}

/// A record of a history.
package struct HistoryRecord: Equatable, Sendable {
    /// Seconds since 1970-01-01 in UTC.
    package let time: Int64
    package fileprivate(set) var reading: Reading

    package init(_ reading: Reading, at time: Int64) {
        self.time = time
        self.reading = reading
    }
}

/// The progress of one history: which records are new, and where the next series goes on.
///
/// A value without I/O. All times are seconds since 1970-01-01 in UTC.
struct HistoryProgress: Sendable {
    /// One series of records.
    private struct Series {
        /// The records up to this time are known.
        var start: Int64
        /// The record that may still be completed by its neighbour with the same time.
        var incomplete: HistoryRecord?
        /// The time of the record before.
        var previous: Int64?
        /// Whether the newest record comes first.
        var isFalling = false
        var newest: HistoryRecord?
        var count = 0
    }

    /// The time before the first series for which records are asked.
    private static let firstSpan: Int64 = 86_400
    /// How far the clock of a device may be ahead.
    private static let mostAhead: Int64 = 86_400
    /// The number of consecutive series with falling times after which the next one begins later if all were cut off.
    private static let mostBreaks = 3

    private let rules: Configuration.History
    private(set) var memory: HistoryMemory
    private var series: Series?
    /// The number of consecutive series with falling times that were cut off.
    private var breaks = 0

    init(_ rules: Configuration.History, _ memory: HistoryMemory = HistoryMemory()) {
        self.rules = rules
        self.memory = memory
    }

    /// Returns the time from which records are asked for if none is known.
    static func firstStart(at now: Int64) -> Int64 { now - firstSpan }

    /// Returns the time up to which everything is published.
    func since(at now: Int64) -> Int64 {
        min(memory.since ?? Self.firstStart(at: now), now)
    }

    /// Returns whether the records must be asked for.
    func isDue(at now: Int64) -> Bool {
        guard now - since(at: now) > rules.gap.wholeSeconds else { return false }
        return memory.asked.map { now < $0 || now - $0 >= rules.leastInterval.wholeSeconds } ?? true
    }

    /// Begins a series.
    mutating func begin(at now: Int64) {
        series = Series(start: since(at: now))
        count = 0
    }

    /// Begins the records of the device again, because the series had a gap.
    ///
    /// If times rise, the published records are known now.
    mutating func repeatRecords(at now: Int64) {
        guard var series else { return }
        if !series.isFalling { series.start = since(at: now) }
        (series.previous, series.incomplete) = (nil, nil)
        self.series = series
    }

    /// Adds the next record of the device.
    ///
    /// Neighbours with one time are one record. Records that are known, or whose time is more than a day ahead, are dropped.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - now: The present time.
    /// - Returns: The records to publish, and whether the device has no further new ones.
    mutating func add(_ record: HistoryRecord, at now: Int64) -> (records: [HistoryRecord], isOver: Bool) {
        guard var series, record.time >= 0, record.time <= now + Self.mostAhead else { return ([], false) }
        defer { self.series = series }
        if let previous = series.previous, record.time < previous { series.isFalling = true }
        series.previous = record.time
        guard (record.time - series.start) * 2000 >= rules.step.wholeMilliseconds else { return ([], series.isFalling) }
        if series.incomplete?.time == record.time {
            series.incomplete?.reading.merge(record.reading)
            return ([], false)
        }
        let complete = series.incomplete
        series.incomplete = record
        return (publish(complete, in: &series, at: now), series.count >= rules.limit)
    }

    /// Ends a series that is complete: the next one begins after its newest record.
    ///
    /// - Returns: The last record to publish.
    mutating func end(at now: Int64) -> [HistoryRecord] {
        guard var series else { return [] }
        self.series = nil
        let last = series.count < rules.limit ? publish(series.incomplete, in: &series, at: now) : []
        if let newest = series.newest { note(newest, at: now) }
        (memory.asked, breaks) = (now, 0)
        return last
    }

    /// Ends a series that was cut off: if times rise, the next one goes on after the published records.
    ///
    /// If times fall, the next one publishes them again; a device that always cuts it off is asked less often.
    mutating func interrupt(at now: Int64) {
        if let series, series.isFalling, series.count > 0 {
            breaks += 1
            if breaks == Self.mostBreaks { (memory.asked, breaks) = (now, 0) }
        }
        series = nil
    }

    /// Ends a series that the device did not answer: the next one begins later.
    mutating func fail(at now: Int64) {
        guard series != nil else { return }
        series = nil
        memory.asked = now
    }

    /// Ends the series, and returns to an earlier memory, because records were not published.
    mutating func restore(_ memory: HistoryMemory) {
        series = nil
        self.memory = memory
    }

    /// The number of records that were published in the last series.
    private(set) var count = 0

    /// Notes that a value was published when it was measured; after a longer silence the records are still missing.
    mutating func notePublished(at now: Int64) {
        guard series == nil, let since = memory.since, now - since <= rules.gap.wholeSeconds else { return }
        memory.since = max(since, now)
    }

    private mutating func publish(
        _ record: HistoryRecord?, in series: inout Series, at now: Int64
    ) -> [HistoryRecord] {
        guard let record, series.count < rules.limit else { return [] }
        series.count += 1
        count = series.count
        if series.newest.map({ $0.time < record.time }) ?? true { series.newest = record }
        if !series.isFalling { note(record, at: now) }
        return [record]
    }

    private mutating func note(_ record: HistoryRecord, at now: Int64) {
        memory.since = max(memory.since ?? .min, min(record.time, now))
        memory.last = record.reading.numbers
    }
}

extension Reading {
    /// Adds the members of another reading.
    fileprivate mutating func merge(_ other: Reading) {
        guard case .fields(let members) = self, case .fields(let others) = other else { return }
        self = .fields(members.filter { member in !others.contains { $0.name == member.name } } + others)
    }

    /// The numbers of the fields, by name.
    fileprivate var numbers: [String: Decimal] {
        guard case .fields(let members) = self else { return [:] }
        return Dictionary(members.compactMap { member in member.value.number().map { (member.name, $0) } }) { $1 }
    }
}

extension Duration {
    fileprivate var wholeSeconds: Int64 { components.seconds }
    fileprivate var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
