package import Codec

extension Configuration {
    /// The rules for publishing values.
    package struct PublishRules: Sendable, Equatable {
        package enum Payload: String, Sendable, CaseIterable {
            /// A JSON object with the value, its unit and its time.
            case json
            /// The value alone.
            case value
        }

        /// Whether a value is published only if it differs from the last published value.
        package let onChange: Bool
        /// The minimum difference from the last published number; nil: any difference.
        package let deadband: Decimal?
        /// The minimum time between two messages; nil: no minimum.
        ///
        /// The latest value is published when the time has passed.
        package let atMostEvery: Duration?
        /// The maximum time between two messages while values arrive; nil: no maximum.
        ///
        /// This rule has priority over the other rules.
        package let atLeastEvery: Duration?
        package let payload: Payload
        /// The values to keep while the broker is away; nil: the rule of the device.
        package let keep: Keep?
    }
}

extension Configuration.PublishRules {
    /// The rules for advertised readings of a device without rules of its own.
    static let advertised = Self(
        onChange: true, deadband: nil, atMostEvery: .seconds(5), atLeastEvery: .seconds(300), payload: .json,
        keep: nil)

    /// The rules for an advertised event: each event is published once.
    package var forEvents: Self {
        Self(onChange: false, deadband: nil, atMostEvery: nil, atLeastEvery: nil, payload: payload, keep: keep)
    }

    /// The rules for an advertised state such as an open door: by default, each change is published at once.
    package var forStates: Self {
        guard self == .advertised else { return self }
        return Self(
            onChange: true, deadband: nil, atMostEvery: nil, atLeastEvery: atLeastEvery, payload: payload, keep: keep)
    }
}
