import Codec

extension Configuration.History {
    private enum Keys {
        static let owner = Key(
            "as", .text, example: "plant",
            "The name in the late topics: another entry, whose values the records are, or advertisement for the advertised "
                + "quantities; the entry itself if left out.")
        static let time = Key(
            required: "time", Kind<Expression>.expression, example: "uptime.received - uptime.seconds + seconds",
            "The time of a record in seconds since 1970: a formula over its fields, hidden ones too, the values of other entries, "
                + "asked, frame and index (the numbers of the frame and of the element, from 0); or the name of a field with a "
                + "date and time.")
        static let list = Key(
            "list", .text, example: "samples", "The field whose elements are the records; the whole answer if left out."
        )
        static let step = Key(
            "step", .positiveDuration, default: "2s", example: "1h",
            "The interval of the records: a record less than half of it after the newest known one is not published again."
        )
        static let gap = Key(
            "gap", .positiveDuration, default: "30m",
            "The records are asked for when the newest known record or value is older, or by the request history.")
        static let atMostEvery = Key(
            "at_most_every", .positiveDuration, default: "6h",
            "The least time between two complete series of records, except by a request.")
        static let limit = Key(
            "limit", .integer(1...100_000), default: "10000", "The maximum number of records of a series.")
        static let within = Key(
            "within", .positiveDuration, default: "5m",
            "With connect: every DURATION, how long a session may take because of the records.")
        static let section = Section(
            "history", owner, time, list, step, gap, atMostEvery, limit, within, example: "{time: recorded}")
    }

    static let kind = Kind<Configuration.History>.mapping(Keys.section) { reader in
        let (owner, list, step, gap) = (reader[Keys.owner], reader[Keys.list], reader[Keys.step], reader[Keys.gap])
        let (leastInterval, limit, within) = (reader[Keys.atMostEvery], reader[Keys.limit], reader[Keys.within])
        return reader[Keys.time].map { time in
            Configuration.History(
                owner: owner, time: time, list: list, step: step, gap: gap, leastInterval: leastInterval, limit: limit,
                within: within)
        }
    }
}

extension Kind where Value == Configuration.Question.Series {
    /// The name of a number, and its first and its last value.
    static var series: Kind {
        Kind("{NAME: [FIRST, LAST]}") { node, mistakes in
            let form = "{NAME: [FIRST, LAST]}, such as {number: [0, memory.entries - 1]}"
            guard case .mapping(let entries) = node.content, entries.count == 1, let entry = entries.first else {
                mistakes.report("expected \(form), found \(node.summary)", at: node.position)
                return nil
            }
            guard let ends = Kind<[Expression]>.list(of: .expression).read(entry.value, mistakes) else { return nil }
            guard ends.count == 2 else {
                mistakes.report("expected \(form), found \(ends.count) numbers", at: entry.value.position)
                return nil
            }
            return Value(name: entry.key, first: ends[0], last: ends[1])
        }
    }
}
