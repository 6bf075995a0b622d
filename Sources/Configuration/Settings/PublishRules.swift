package import Codec

extension Configuration {
    /// The rules for publishing values.
    package struct PublishRules: Sendable, Equatable {
        /// The average of the values in each window of the wall clock.
        package struct Average: Sendable, Equatable {
            package enum Method: String, Sendable, CaseIterable {
                case mean, min, max, median
                /// The last value of the window.
                case last
            }

            /// The duration of a window: windows begin at its multiples since 1970-01-01 in UTC.
            package let window: Duration
            package let method: Method

            package init(window: Duration, method: Method) {
                self.window = window
                self.method = method
            }
        }

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
        /// The average that is published in the place of single values; nil: each value.
        package let average: Average?
        package let payload: Payload
        /// The values to keep while the broker is away; nil: the rule of the device.
        package let keep: Keep?
    }
}

extension Configuration.PublishRules {
    /// The rules for advertised readings of a device without rules of its own.
    static let advertised = Self(
        onChange: true, deadband: nil, atMostEvery: .seconds(5), atLeastEvery: .seconds(300), average: nil,
        payload: .json, keep: nil)

    /// The rules for an advertised event: each event is published once.
    package var forEvents: Self {
        Self(
            onChange: false, deadband: nil, atMostEvery: nil, atLeastEvery: nil, average: nil, payload: payload,
            keep: keep)
    }

    /// The rules for an advertised state such as an open door: by default, and in the place of an average, each change is
    /// published at once.
    package var forStates: Self {
        guard self == .advertised || average != nil else { return self }
        return Self(
            onChange: true, deadband: nil, atMostEvery: nil, atLeastEvery: atLeastEvery, average: nil,
            payload: payload, keep: keep)
    }
}
