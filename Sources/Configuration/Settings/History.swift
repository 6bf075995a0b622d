package import Codec

extension Configuration {
    /// How the records in the memory of a device are published: the key `history`.
    package struct History: Sendable, Equatable {
        /// The longest series of questions with `each`.
        package static let mostQuestions = 4096

        /// The owner of records that belong to the advertised quantities.
        package static let advertisements = "advertisement"

        /// The name of the entry, or of the advertised quantities, to which the records belong; nil: the entry itself.
        package let owner: String?
        /// The time of a record in seconds since 1970.
        package let time: Expression
        /// The field whose elements are the records; nil: the answer is one record.
        package let list: String?
        /// The interval of the records in the memory.
        package let step: Duration
        /// The records are asked for when the newest published value is older.
        package let gap: Duration
        /// The least time between two series.
        package let leastInterval: Duration
        /// The maximum number of records in a series.
        package let limit: Int
        /// How long a collecting session may take because of the series.
        package let within: Duration

        package init(
            owner: String? = nil, time: Expression, list: String? = nil, step: Duration = .seconds(2),
            gap: Duration = .seconds(1800), leastInterval: Duration = .seconds(21_600), limit: Int = 10_000,
            within: Duration = .seconds(300)
        ) {
            self.owner = owner
            self.time = time
            self.list = list
            self.step = step
            self.gap = gap
            self.leastInterval = leastInterval
            self.limit = limit
            self.within = within
        }
    }
}
