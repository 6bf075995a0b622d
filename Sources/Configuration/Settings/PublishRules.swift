package import Codec

extension Configuration {
    /// The rules for publishing values.
    package struct PublishRules: Sendable, Equatable {
        package enum Payload: String, Sendable, CaseIterable {
            /// The reading with its unit and time.
            case json
            /// The bare value.
            case value
        }

        /// Whether a value equal to the last one is not published.
        package let onChange: Bool
        /// The minimum difference from the last published number; nil for none.
        package let deadband: Decimal?
        /// The minimum time between two messages.
        ///
        /// The latest value is published when it has passed.
        package let atMostEvery: Duration?
        /// The maximum time between two messages while values arrive.
        ///
        /// It has priority over the other rules.
        package let atLeastEvery: Duration?
        package let payload: Payload
    }
}
