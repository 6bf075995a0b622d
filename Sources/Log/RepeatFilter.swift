/// Lets a line through once in a while and counts it in between.
struct RepeatFilter {
    /// For how many seconds a line that was written is only counted.
    static let silence = 30
    /// How many different lines are remembered.
    private static let limit = 64

    private struct Memory {
        var writtenAt: Int
        var count = 0
    }

    private var memories: [LogLine: Memory] = [:]

    /// What to write now that `line` occurs: nothing, the line, or before it those that repeated and have been silent
    /// for long enough.
    ///
    /// - Parameter now: The time in seconds, since whenever.
    mutating func lines(for line: LogLine, at now: Int) -> [LogLine] {
        if var memory = memories[line], now - memory.writtenAt < Self.silence {
            memory.count += 1
            memories[line] = memory
            return overdue(at: now)
        }
        let overdue = overdue(at: now)
        memories[line] = Memory(writtenAt: now)
        return overdue + [line]
    }

    /// The lines that have been counted for long enough, with their counts; they are forgotten.
    private mutating func overdue(at now: Int) -> [LogLine] {
        guard memories.count >= Self.limit || memories.values.contains(where: { now - $0.writtenAt >= Self.silence })
        else { return [] }
        let old = memories.filter { memories.count >= Self.limit || now - $0.value.writtenAt >= Self.silence }
        for line in old.keys {
            memories[line] = nil
        }
        return old.filter { $0.value.count > 0 }
            .sorted { $0.value.writtenAt < $1.value.writtenAt }
            .map { $0.key.repeated($0.value.count) }
    }
}
