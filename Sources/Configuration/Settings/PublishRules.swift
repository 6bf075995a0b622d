package import Codec

extension Configuration {
    /// Which values of a characteristic are published, and how.
    package struct PublishRules: Sendable, Equatable {
        package enum Payload: String, Sendable, CaseIterable {
            /// The reading with its unit and time.
            case json
            /// The bare value.
            case value
        }

        /// Whether a value equal to the last one is left out.
        package let onChange: Bool
        /// How far a number must be from the last one published; nil: no matter.
        package let deadband: Decimal?
        /// The shortest time between two messages; the latest value follows when it is over.
        package let atMostEvery: Duration?
        /// The longest time between two messages while values arrive, whatever the other rules say.
        package let atLeastEvery: Duration?
        package let payload: Payload
    }
}
