/// The format of log lines for each kind of destination.
enum LogStyle: Equatable {
    /// The journal of systemd, which adds the time and reads the level from a prefix (sd-daemon(3)).
    case journal
    /// A terminal: lines begin with the local time of day.
    case terminal
    /// A file or another program: lines begin with the time in UTC.
    case file

    func text(of line: LogLine, at time: LogTime) -> String {
        switch self {
        case .journal: "<\(line.level.priority)>\(line.text)\n"
        case .terminal: "\(time.ofDay) \(word(line.level)) \(line.text)\n"
        case .file: "\(time.utc) \(word(line.level)) \(line.text)\n"
        }
    }

    /// Returns the name of the level, padded to the width of the longest name.
    private func word(_ level: Log.Level) -> String {
        level.rawValue
            + String(repeating: " ", count: Log.Level.warning.rawValue.utf8.count - level.rawValue.utf8.count)
    }
}
