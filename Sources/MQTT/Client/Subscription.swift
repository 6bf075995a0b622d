/// How what a filter asks for is to be delivered.
package struct Subscription: Hashable, Sendable {
    /// The best quality of service that is wanted.
    package var qualityOfService: QualityOfService
    /// Whether the client's own messages are left out (MQTT 5 only).
    package var ignoresOwn: Bool

    package init(qualityOfService: QualityOfService = .atLeastOnce, ignoresOwn: Bool = false) {
        self.qualityOfService = qualityOfService
        self.ignoresOwn = ignoresOwn
    }
}
