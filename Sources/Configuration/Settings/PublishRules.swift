package import Codec

extension Configuration {
    /// The rules for publishing values.
    ///
    /// An object: the characteristic and four parts that publish its values refer to the same rules (measured:
    /// Tests/Benchmark/README.md).
    package final class PublishRules: Sendable, Equatable {
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

        init(
            onChange: Bool = false, deadband: Decimal? = nil, atMostEvery: Duration? = nil,
            atLeastEvery: Duration? = nil, average: Average? = nil, payload: Payload = .json, keep: Keep? = nil
        ) {
            self.onChange = onChange
            self.deadband = deadband
            self.atMostEvery = atMostEvery
            self.atLeastEvery = atLeastEvery
            self.average = average
            self.payload = payload
            self.keep = keep
        }

        package static func == (left: PublishRules, right: PublishRules) -> Bool {
            left === right
                || left.onChange == right.onChange && left.deadband == right.deadband
                    && left.atMostEvery == right.atMostEvery && left.atLeastEvery == right.atLeastEvery
                    && left.average == right.average && left.payload == right.payload && left.keep == right.keep
        }
    }
}

extension Configuration.PublishRules {
    /// The rules for advertised readings of a device without rules of its own.
    static let advertised = Configuration.PublishRules(
        onChange: true, atMostEvery: .seconds(5), atLeastEvery: .seconds(300))

    /// The rules for an advertised event: each event is published once.
    package var forEvents: Configuration.PublishRules { Configuration.PublishRules(payload: payload, keep: keep) }

    /// The rules for an advertised state such as an open door: by default, and in the place of an average, each change is
    /// published at once.
    package var forStates: Configuration.PublishRules {
        guard self == .advertised || average != nil else { return self }
        return Configuration.PublishRules(onChange: true, atLeastEvery: atLeastEvery, payload: payload, keep: keep)
    }
}
