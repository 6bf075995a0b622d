package import Codec
package import Configuration
import JSON
package import System

/// Decides which readings of one topic are published, according to the rules of the key `publish`.
package struct PublishGate: Sendable {
    package enum Verdict: Equatable, Sendable {
        case publish
        /// Publish the newest reading after this time.
        case delay(Duration)
        case drop
    }

    /// Whether every reading is published; if true, `last` is not used.
    private let isOpen: Bool
    private let rules: Configuration.PublishRules
    private var last: (reading: Reading, time: Instant)?

    package init(_ rules: Configuration.PublishRules) {
        self.rules = rules
        isOpen = !rules.onChange && rules.deadband == nil && rules.atMostEvery == nil
    }

    /// Returns whether to publish a reading that has just arrived.
    package mutating func admit(_ reading: Reading, at now: Instant) -> Verdict {
        if isOpen { return .publish }
        guard let last else { return pass(reading, now) }
        let age = now - last.time
        if let most = rules.atLeastEvery, age >= most { return pass(reading, now) }
        if !isNews(reading, after: last.reading) { return .drop }
        if let least = rules.atMostEvery, age < least { return .delay(least - age) }
        return pass(reading, now)
    }

    /// Returns whether to publish the newest delayed reading after its delay.
    package mutating func release(_ reading: Reading, at now: Instant) -> Bool {
        guard let last, isNews(reading, after: last.reading) else { return false }
        self.last = (reading, now)
        return true
    }

    /// Notes that the last reading is published again.
    package mutating func repeated(at now: Instant) {
        last?.time = now
    }

    private mutating func pass(_ reading: Reading, _ now: Instant) -> Verdict {
        last = (reading, now)
        return .publish
    }

    /// Returns whether a reading differs enough from the last published one; always true without a rule about changes.
    private func isNews(_ reading: Reading, after last: Reading) -> Bool {
        if let deadband = rules.deadband { return Self.differs(reading, last, by: deadband) }
        return !rules.onChange || reading != last
    }

    private static func differs(_ reading: Reading, _ last: Reading, by deadband: Decimal) -> Bool {
        switch (reading, last) {
        case (.value(let new, _), .value(let old, _)):
            return differs(new, old, by: deadband)
        case (.fields(let new), .fields(let old)):
            return new.count != old.count
                || zip(new, old).contains { $0.name != $1.name || differs($0.value, $1.value, by: deadband) }
        default:
            return true
        }
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
