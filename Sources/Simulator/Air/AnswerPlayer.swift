import Bluetooth
import Codec

/// Answers the questions that are written to one characteristic of a peripheral.
final class AnswerPlayer {
    /// The notifications that follow a question.
    struct Answer {
        let notifications: [Notification]
        let delay: Duration
    }

    /// The bytes of one notification.
    struct Notification {
        /// The characteristic that sends them; nil: the one to which the question was written.
        let source: UUID?
        var bytes: [UInt8]
    }

    private let rules: [AnswerRule]
    /// How often each rule has been applied.
    private var counts: [Int]
    private var generator: SeededGenerator

    /// The delay of an answer with the fault `late`.
    private static let lateness = Duration.seconds(3)

    init(_ rules: [AnswerRule], seed: UInt64) {
        self.rules = rules
        counts = rules.map { _ in 0 }
        generator = SeededGenerator(seed: seed)
    }

    /// Returns the answer to a question; nil if no rule applies.
    func answer(to question: [UInt8]) -> Answer? {
        let index = rules.indices.first { index in
            let rule = rules[index]
            return rule.question.count == question.count && rule.question.compare(question[...]) == .equal
                && rule.times.map { counts[index] < $0 } ?? true
        }
        guard let index else { return nil }
        counts[index] += 1
        let rule = rules[index]
        var delay = rule.delay
        var notifications = Self.notifications(of: rule, for: question)
        let other = rules.indices.first { $0 != index }.map { Self.notifications(of: rules[$0], for: question) } ?? []
        for (fault, rate) in rule.faults where Double.random(in: 0..<1, using: &generator) < rate {
            switch fault {
            case .silent: notifications = []
            case .cut: notifications = Self.half(of: notifications)
            case .late: delay += Self.lateness
            case .twice: notifications += notifications
            case .mixed:
                notifications = notifications.enumerated().flatMap { position, notification in
                    [notification] + (other.indices.contains(position) ? [other[position]] : [])
                }
            case .foreign: notifications = other
            case .flipped:
                let places = notifications.indices.filter { !notifications[$0].bytes.isEmpty }
                guard let place = places.randomElement(using: &generator) else { continue }
                let byte = Int.random(in: notifications[place].bytes.indices, using: &generator)
                notifications[place].bytes[byte] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            }
        }
        return Answer(notifications: notifications, delay: delay)
    }

    private static func notifications(of rule: AnswerRule, for question: [UInt8]) -> [Notification] {
        rule.messages.flatMap { message -> [Notification] in
            let bytes = message.bytes.map { byte -> UInt8 in
                switch byte {
                case .fixed(let value): value
                case .copied(let position): question.indices.contains(position) ? question[position] : 0
                }
            }
            return stride(from: 0, to: bytes.count, by: rule.cut).map {
                Notification(source: message.source, bytes: Array(bytes[$0...].prefix(rule.cut)))
            }
        }
    }

    private static func half(of notifications: [Notification]) -> [Notification] {
        var rest = notifications.map(\.bytes.count).reduce(0, +) / 2
        return notifications.compactMap { notification in
            let part = Array(notification.bytes.prefix(rest))
            rest -= part.count
            return part.isEmpty ? nil : Notification(source: notification.source, bytes: part)
        }
    }
}
