package import Configuration
package import Log

extension Configuration.LogLevel {
    /// The level at which the log writes.
    package var level: Log.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }
}
