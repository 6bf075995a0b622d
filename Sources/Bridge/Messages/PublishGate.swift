internal import Codec
internal import Configuration
internal import EventLoop

/// Which readings of one characteristic are published (contract, `publish:`).
struct PublishGate: Sendable {
    enum Verdict: Equatable, Sendable {
        case publish
        /// Not now; if nothing newer comes, after this time.
        case delay(Duration)
        case drop
    }

    /// Whether every reading passes, so that none is to be remembered.
    private let isOpen: Bool
    private let rules: Configuration.PublishRules
    private var last: (value: Value, time: Instant)?

    init(_ rules: Configuration.PublishRules) {
        self.rules = rules
        isOpen = !rules.onChange && rules.deadband == nil && rules.atMostEvery == nil
    }

    /// Whether a reading that has just arrived is to be published.
    mutating func admit(_ value: Value, at now: Instant) -> Verdict {
        if isOpen { return .publish }
        guard let last else { return pass(value, now) }
        let age = now - last.time
        if let most = rules.atLeastEvery, age >= most { return pass(value, now) }
        if !isNews(value, after: last.value) { return .drop }
        if let least = rules.atMostEvery, age < least { return .delay(least - age) }
        return pass(value, now)
    }

    /// Whether the newest of the readings that were put off is to be published when the time has come.
    mutating func release(_ value: Value, at now: Instant) -> Bool {
        guard let last, isNews(value, after: last.value) else { return false }
        self.last = (value, now)
        return true
    }

    /// The last reading is published once more.
    mutating func repeated(at now: Instant) {
        last?.time = now
    }

    private mutating func pass(_ value: Value, _ now: Instant) -> Verdict {
        last = (value, now)
        return .publish
    }

    /// Whether a value differs from the last one by enough.
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
            return zip(new.members, old.members).contains { differs($0.value, $1.value, by: deadband) }
        case (.list(let new), .list(let old)):
            return new.count != old.count || zip(new, old).contains { differs($0, $1, by: deadband) }
        default:
            return value != last
        }
    }
}
