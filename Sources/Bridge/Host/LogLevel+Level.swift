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

    /// Creates the configured level that corresponds to a level of the log.
    init(_ level: Log.Level) {
        switch level {
        case .debug: self = .debug
        case .info: self = .info
        case .warning: self = .warning
        case .error: self = .error
        }
    }
}
