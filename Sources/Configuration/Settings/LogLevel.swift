extension Configuration {
    /// How much the gateway says of itself.
    package enum LogLevel: String, Sendable, CaseIterable {
        case debug, info, warning, error
    }
}
