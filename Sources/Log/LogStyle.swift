/// How a line is laid out for who reads it.
enum LogStyle: Equatable {
    /// systemd's journal: it has the time already and takes the level from a prefix (sd-daemon(3)).
    case journal
    /// A person at a terminal: the time of day.
    case terminal
    /// A file or another program: the time in UTC.
    case file

    func text(of line: LogLine, at time: LogTime) -> String {
        switch self {
        case .journal: "<\(line.level.priority)>\(line.text)\n"
        case .terminal: "\(time.ofDay) \(word(line.level)) \(line.text)\n"
        case .file: "\(time.utc) \(word(line.level)) \(line.text)\n"
        }
    }

    /// The level's name, as wide as the longest.
    private func word(_ level: Log.Level) -> String {
        level.rawValue
            + String(repeating: " ", count: Log.Level.warning.rawValue.utf8.count - level.rawValue.utf8.count)
    }
}
