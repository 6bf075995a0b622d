/// Passes the first of equal lines, and counts its repetitions for the rest of the period.
struct RepeatFilter {
    /// The period in seconds in which a repeated line is counted instead of written.
    static let period = 30
    /// The maximum number of different lines that are remembered.
    private static let limit = 64

    private struct Memory {
        var writtenAt: Int
        var count = 0
    }

    private var memories: [LogLine: Memory] = [:]

    /// Returns the lines to write when a line is logged.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - now: The time in seconds since an arbitrary origin.
    /// - Returns: The repeated lines whose period is over, with their counts, and `line` unless it is a repetition.
    mutating func lines(for line: LogLine, at now: Int) -> [LogLine] {
        if var memory = memories[line], now - memory.writtenAt < Self.period {
            memory.count += 1
            memories[line] = memory
            return overdue(at: now)
        }
        let overdue = overdue(at: now)
        memories[line] = Memory(writtenAt: now)
        return overdue + [line]
    }

    /// Removes the lines whose period is over, or all lines if too many are remembered.
    ///
    /// - Returns: The removed lines that were repeated, with their counts.
    private mutating func overdue(at now: Int) -> [LogLine] {
        guard memories.count >= Self.limit || memories.values.contains(where: { now - $0.writtenAt >= Self.period })
        else { return [] }
        let old = memories.filter { memories.count >= Self.limit || now - $0.value.writtenAt >= Self.period }
        for line in old.keys {
            memories[line] = nil
        }
        return old.filter { $0.value.count > 0 }
            .sorted { $0.value.writtenAt < $1.value.writtenAt }
            .map { $0.key.repeated($0.value.count) }
    }
}
