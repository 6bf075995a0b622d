extension Log {
    /// The severity of a line.
    package enum Level: String, CaseIterable, Comparable, Sendable {
        case debug, info, warning, error

        package static func < (left: Level, right: Level) -> Bool {
            left.rank < right.rank
        }

        var rank: UInt8 {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            }
        }

        /// The severity number of syslog (RFC 5424), which the journal uses.
        var priority: Int {
            switch self {
            case .debug: 7
            case .info: 6
            case .warning: 4
            case .error: 3
            }
        }
    }
}
