import Codec

extension Configuration.PublishRules {
    enum Keys {
        static let onChange = Key(
            "on_change", .boolean, default: "false", example: "true", "Leave out values that equal the last one.")
        static let deadband = Key(
            "deadband", .number(atLeast: 0), example: "0.5",
            "Leave out numbers that differ from the last one published by less than this.")
        static let atMostEvery = Key(
            "at_most_every", .positiveDuration, example: "10s", "The shortest time between two messages.")
        static let atLeastEvery = Key(
            "at_least_every", .positiveDuration, example: "5m",
            "The longest time between two messages, whatever is left out otherwise.")
        static let payload = Key(
            "payload", Kind<Payload>.word, default: "json", example: "value",
            "What a message carries: json, the reading with unit and time, or the bare value.")

        static let section = Section("publish", onChange, deadband, atMostEvery, atLeastEvery, payload)
    }

    static let kind = Kind.mapping(Keys.section) { reader in
        let rules = Configuration.PublishRules(
            onChange: reader[Keys.onChange], deadband: reader[Keys.deadband], atMostEvery: reader[Keys.atMostEvery],
            atLeastEvery: reader[Keys.atLeastEvery], payload: reader[Keys.payload])
        if let most = rules.atMostEvery, let least = rules.atLeastEvery, most > least {
            reader.report("at_most_every is longer than at_least_every: nothing can keep both", at: Keys.atMostEvery)
        }
        return rules
    }
}
