package import Configuration
package import Log

extension Configuration.LogLevel {
    /// The level of the log that corresponds to the configured level.
    package var level: Log.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }
}
