/// Passes a repeated line once per period, and counts it in between.
struct RepeatFilter {
    /// The period in seconds in which a repeated line is only counted.
    static let period = 30
    /// The most different lines that are remembered.
    private static let limit = 64

    private struct Memory {
        var writtenAt: Int
        var count = 0
    }

    private var memories: [LogLine: Memory] = [:]

    /// Handles a line that occurs.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - now: The time in seconds, since any moment.
    /// - Returns: The lines to write: the counted lines whose period is over, and `line` unless it repeats.
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

    /// Removes and returns the lines whose period is over, with their counts.
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
