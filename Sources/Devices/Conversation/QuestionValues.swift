import Codec
import JSON
import System

/// The values that the formulas of questions and answers can use, except the members of a question.
struct QuestionValues: Sendable {
    private let usedNames: Set<String>
    /// The PIN of the device; null if it has none.
    private var pin = Value.null
    /// The parameters of the configuration, and the newest values of the entries: `status.cells`, `uptime.received`.
    private var newest: Environment
    /// The number of questions that were answered.
    private var counter = 0
    /// When the last question was written, in seconds since 1970-01-01.
    private var asked: Int64?

    init(_ plan: ConversationPlan) {
        usedNames = plan.usedNames
        newest = plan.parameters
    }

    /// Sets the PIN of the device; nil: it has none.
    mutating func setPIN(_ pin: String?) {
        self.pin = pin.map { .string($0) } ?? .null
    }

    /// The prefix of the names of local time.
    private static let local = "local."

    /// Returns the values of all names that formulas use, at a moment.
    func environment(at moment: Moment) -> Environment {
        var environment = newest
        environment["pin"] = pin
        environment["now"] = .number(Decimal(moment.seconds))
        environment["counter"] = .number(Decimal(counter & 0xFF))
        environment["asked"] = asked.map { .number(Decimal($0)) }
        if usedNames.contains(where: { $0.hasPrefix(Self.local) }) {
            for (name, number) in moment.local { environment[Self.local + name] = .number(Decimal(number)) }
        }
        return environment
    }

    mutating func noteQuestion(at moment: Moment) {
        asked = moment.seconds
    }

    mutating func countAnswer() {
        counter += 1
    }

    /// Keeps the values of an answer that formulas use.
    mutating func note(_ members: Record, of entry: String, at moment: Moment) {
        for member in members where usedNames.contains("\(entry).\(member.name)") {
            newest["\(entry).\(member.name)"] = member.value.seconds(localOffset: moment.offset) ?? member.value
        }
        if usedNames.contains("\(entry).received") { newest["\(entry).received"] = .number(Decimal(moment.seconds)) }
    }

    /// Returns whether formulas use a value of an entry.
    func uses(_ entry: String) -> Bool {
        usedNames.contains { $0.hasPrefix(entry + ".") }
    }
}

extension Moment {
    /// The parts of the local time, by their names in formulas.
    fileprivate var local: [(name: String, number: Int)] {
        let seconds = max(0, seconds + Int64(offset))
        let parts = Timestamp(milliseconds: seconds * 1000).description.split { "-:.TZ".contains($0) }
        // 1970-01-01 was a Thursday; Monday is 1 and Sunday is 7 (ISO 8601).
        let weekday = Int((seconds / 86400 + 3) % 7) + 1
        let names = ["year", "month", "day", "hour", "minute", "second"]
        return zip(names, parts.compactMap { Int($0) }).map { (name: $0, number: $1) } + [
            (name: "weekday", number: weekday), (name: "offset", number: offset),
        ]
    }
}
