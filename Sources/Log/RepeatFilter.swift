/// Passes the first of equal lines, and counts its repetitions for the rest of the period.
struct RepeatFilter {
    /// The time of a line, by two clocks.
    struct Moment {
        /// Seconds since an arbitrary origin; changes of the calendar time do not affect it.
        let uptime: Int
        let time: LogTime
    }

    /// The period in seconds in which a repeated line is counted instead of written.
    static let period = 30
    /// The maximum number of different lines that are remembered.
    private static let limit = 64

    private struct Memory {
        let writtenAt: Int
        var count = 0
        /// The times of the first and the last repetition; nil without a repetition.
        var times: (first: LogTime, last: LogTime)?

        init(writtenAt: Int) {
            self.writtenAt = writtenAt
        }

        mutating func count(at time: LogTime) {
            count += 1
            times = (times?.first ?? time, time)
        }

        /// Returns the line with the number of its repetitions; nil if there were none.
        func summary(of line: LogLine) -> LogLine? {
            times.map { line.repeated(count, from: $0.first, to: $0.last) }
        }
    }

    private var memories: [LogLine: Memory] = [:]

    /// Returns the lines to write when a line is logged.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - now: The time of the line.
    /// - Returns: The repeated lines whose period is over, with their counts, and `line` unless it is counted.
    mutating func lines(for line: LogLine, at now: Moment) -> [LogLine] {
        guard var memory = memories[line] else {
            let overdue = overdue(at: now)
            memories[line] = Memory(writtenAt: now.uptime)
            return overdue + [line]
        }
        if now.uptime - memory.writtenAt < Self.period {
            memory.count(at: now.time)
            memories[line] = memory
            return overdue(at: now)
        }
        // The line itself is one of the repetitions, unless there was none before.
        if memory.count > 0 { memory.count(at: now.time) }
        memories[line] = Memory(writtenAt: now.uptime)
        return overdue(at: now) + [memory.summary(of: line) ?? line]
    }

    /// Removes the lines whose period is over, or all lines if too many are remembered.
    ///
    /// - Returns: The removed lines that were repeated, with their counts.
    mutating func overdue(at now: Moment) -> [LogLine] {
        guard
            memories.count >= Self.limit
                || memories.values.contains(where: { now.uptime - $0.writtenAt >= Self.period })
        else { return [] }
        let old = memories.filter { memories.count >= Self.limit || now.uptime - $0.value.writtenAt >= Self.period }
        for line in old.keys {
            memories[line] = nil
        }
        return old.sorted { $0.value.writtenAt < $1.value.writtenAt }.compactMap { $0.value.summary(of: $0.key) }
    }
}
