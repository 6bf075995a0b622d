import Codec

extension Configuration.PublishRules {
    enum Keys {
        static let onChange = Key(
            "on_change", .boolean, default: "false", example: "true",
            "Publish a value only if it differs from the last one.")
        static let deadband = Key(
            "deadband", .number(atLeast: 0), example: "0.5",
            "Publish a number only if it differs by at least this much from the last published one.")
        static let atMostEvery = Key(
            "at_most_every", .positiveDuration, example: "10s", "The minimum time between two messages.")
        static let atLeastEvery = Key(
            "at_least_every", .positiveDuration, example: "5m",
            "The maximum time between two messages while values arrive; takes priority over the other rules.")
        static let average = Key(
            "average", Average.kind, example: "5m",
            "The mean of the numbers in each window of this duration in the place of single values, or {over: DURATION, by: "
                + "mean | min | max | median | last}. Texts and booleans: the last one. It replaces at_most_every.")
        static let payload = Key(
            "payload", Kind<Payload>.word, default: "json", example: "value",
            "The payload of a message: json (the reading with unit and time) or value (the bare value).")

        static let keep = Key(
            "keep", Kind<Configuration.Keep>.word, example: "all",
            "The values to keep while the broker is away: newest, all or none; the device's rule if left out.")

        static let section = Section(
            "publish", onChange, deadband, atMostEvery, atLeastEvery, average, payload, keep,
            advice: [
                "min_interval": "write at_most_every", "rate": "write at_most_every", "limit": "write at_most_every",
                "filter": "write average: 5m", "mean": "write average: 5m", "window": "write average: 5m",
                "retain": "it belongs into the characteristic, beside publish",
                "qos": "it belongs into the characteristic, beside publish",
                "always": "each value is published unless there is a rule: remove the key",
                "round": "write deadband, or precision in a field of format",
                "decimals": "write deadband, or precision in a field of format",
                "min_change": "write deadband", "tolerance": "write deadband",
                "every": "write at_most_every", "interval": "write at_most_every", "throttle": "write at_most_every",
                "debounce": "write at_most_every", "max_interval": "write at_least_every",
                "heartbeat": "write at_least_every", "delta": "write deadband", "hysteresis": "write deadband",
                "threshold": "write deadband", "changes": "write on_change: true", "format": "write payload",
            ])
    }

    static let kind = Kind<Configuration.PublishRules>.either("publish", section: Keys.section) { node in
        guard case .scalar(let text, isPlain: true) = node.content, let advice = advice(about: text) else {
            return rules
        }
        return Kind("publish") { node, mistakes in
            mistakes.report(
                "expected a mapping, found \(text.quotedForMessage): write \(advice)", at: node.position)
            return nil
        }
    }

    /// Returns the mapping that a single word or duration may mean; nil for any other text.
    private static func advice(about text: String) -> String? {
        if (try? Duration(positive: text)) != nil { return "{at_most_every: \(text)}" }
        return ["on_change", "on change", "changes"].contains(text) ? "{on_change: true}" : nil
    }

    private static let rules = Kind.mapping(Keys.section) { reader in
        let rules = Configuration.PublishRules(
            onChange: reader[Keys.onChange], deadband: reader[Keys.deadband], atMostEvery: reader[Keys.atMostEvery],
            atLeastEvery: reader[Keys.atLeastEvery], average: reader[Keys.average], payload: reader[Keys.payload],
            keep: reader[Keys.keep])
        if rules.average != nil, rules.atMostEvery != nil {
            reader.report("average replaces at_most_every: remove one of them", at: Keys.average)
        }
        if let most = rules.atMostEvery, let least = rules.atLeastEvery, most > least {
            reader.report("at_most_every is longer than at_least_every: shorten at_most_every", at: Keys.atMostEvery)
        }
        return rules
    }
}

extension Configuration.PublishRules.Average {
    private enum Keys {
        static let over = Key(
            required: "over", .positiveDuration, example: "5m", "The duration of a window of the wall clock.")
        static let by = Key(
            "by", Kind<Method>.word, default: "mean", example: "max",
            "The value of a window: mean, min, max, median or last.")

        static let section = Section(
            "average", over, by, example: "{over: 5m, by: max}",
            advice: [
                "window": "did you mean 'over'?", "time": "did you mean 'over'?", "duration": "did you mean 'over'?",
                "interval": "did you mean 'over'?", "method": "did you mean 'by'?", "type": "did you mean 'by'?",
                "function": "did you mean 'by'?",
            ])
    }

    /// A duration, or a mapping with a duration and a method.
    static let kind = Kind<Self>.either("duration, or mapping", section: Keys.section) { node in
        if case .mapping = node.content {
            return .mapping(Keys.section) { reader in
                reader[Keys.over].map { Self(window: $0, method: reader[Keys.by]) }
            }
        }
        return Kind<Duration>.positiveDuration.map { Self(window: $0, method: .mean) }
    }
}
