extension Configuration {
    /// The values that are kept while the broker is away.
    package enum Keep: String, Sendable, CaseIterable {
        /// The newest value of each topic; each value of a topic that the broker does not retain, in memory.
        case newest
        /// Each value, on the disk if the broker is away for long.
        case all
        /// No value: it is published only while the broker is connected.
        case nothing = "none"
    }

    /// The messages that wait for the broker on the disk.
    package struct Spool: Sendable, Equatable {
        /// The values to keep if a device or a characteristic has no rule of its own.
        package let keep: Keep
        /// Whether events, and values that the broker does not retain, wait on the disk too.
        package let includesEvents: Bool
        /// The maximum size of all files together, in bytes.
        package let size: Int
        /// The maximum age of a message.
        package let age: Duration
        /// The maximum number of late messages per second.
        package let replay: Int
        /// The time after which values that wait are written to the disk: what a power cut may cost.
        package let sync: Duration
    }
}
