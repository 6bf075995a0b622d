import Codec
import Configuration
import EventLoop
import JSON
import System

/// Decides which readings of one topic are published, according to the rules of the key `publish`.
struct PublishGate: Sendable {
    enum Verdict: Equatable, Sendable {
        case publish
        /// Publish the newest reading after this time.
        case delay(Duration)
        case drop
    }

    /// Whether every reading is published; if true, `last` is not used.
    private let isOpen: Bool
    private let rules: Configuration.PublishRules
    private var last: (value: Value, time: Instant)?

    init(_ rules: Configuration.PublishRules) {
        self.rules = rules
        isOpen = !rules.onChange && rules.deadband == nil && rules.atMostEvery == nil
    }

    /// Returns whether to publish a reading that has just arrived.
    mutating func admit(_ value: Value, at now: Instant) -> Verdict {
        if isOpen { return .publish }
        guard let last else { return pass(value, now) }
        let age = now - last.time
        if let most = rules.atLeastEvery, age >= most { return pass(value, now) }
        if !isNews(value, after: last.value) { return .drop }
        if let least = rules.atMostEvery, age < least { return .delay(least - age) }
        return pass(value, now)
    }

    /// Returns whether to publish the newest delayed reading after its delay.
    mutating func release(_ value: Value, at now: Instant) -> Bool {
        guard let last, isNews(value, after: last.value) else { return false }
        self.last = (value, now)
        return true
    }

    /// Notes that the last reading is published again.
    mutating func repeated(at now: Instant) {
        last?.time = now
    }

    private mutating func pass(_ value: Value, _ now: Instant) -> Verdict {
        last = (value, now)
        return .publish
    }

    /// Returns whether a value differs enough from the last published value; always true without a rule about changes.
    private func isNews(_ value: Value, after last: Value) -> Bool {
        if let deadband = rules.deadband { return Self.differs(value, last, by: deadband) }
        return !rules.onChange || value != last
    }

    private static func differs(_ value: Value, _ last: Value, by deadband: Decimal) -> Bool {
        switch (value, last) {
        case (.number(let new), .number(let old)):
            guard let difference = new.subtracting(old) else { return true }
            return difference.magnitude >= deadband
        case (.record(let new), .record(let old)):
            guard new.names == old.names else { return true }
            return zip(new, old).contains { differs($0.value, $1.value, by: deadband) }
        case (.list(let new), .list(let old)):
            return new.count != old.count || zip(new, old).contains { differs($0, $1, by: deadband) }
        default:
            return value != last
        }
    }
}
