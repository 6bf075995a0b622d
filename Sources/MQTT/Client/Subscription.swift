/// The options of a subscription.
package struct Subscription: Hashable, Sendable {
    /// The best quality of service that the broker may use.
    package var qualityOfService: QualityOfService
    /// Whether the broker does not send the client's own messages; MQTT 5 only.
    package var ignoresOwn: Bool
    /// Whether the client works without the subscription: a refusal is not reported.
    package var isOptional: Bool

    package init(
        qualityOfService: QualityOfService = .atLeastOnce, ignoresOwn: Bool = false, isOptional: Bool = false
    ) {
        self.qualityOfService = qualityOfService
        self.ignoresOwn = ignoresOwn
        self.isOptional = isOptional
    }
}
