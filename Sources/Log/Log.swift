/// Writes the log lines of one part of the program to standard error.
///
///     let log = Log("mqtt")
///     log.warning("connection lost", ["reason": reason, "retry_in": delay])
///
/// The arguments of a line below the current level are not evaluated. Control characters are escaped, so that a message
/// is always one line. A repeated line is written at most once in 30 s, with a count; `always` writes each line.
package struct Log: Sendable {
    package typealias Fields = KeyValuePairs<String, any CustomStringConvertible>

    /// The subject of the lines: a part of the program, or a device.
    package let category: String

    /// Whether repeated lines are counted instead of written.
    private let countsRepeats: Bool

    package init(_ category: String) {
        self.init(category, countsRepeats: true)
    }

    private init(_ category: String, countsRepeats: Bool) {
        self.category = category
        self.countsRepeats = countsRepeats
    }

    /// The same log without counting repeats: for responses to users, and for state changes, whose last line must show the
    /// current state.
    package var always: Log {
        Log(category, countsRepeats: false)
    }

    /// The minimum level of the lines that are written.
    package static var level: Level {
        get { LogOutput.standardError.level }
        set { LogOutput.standardError.level = newValue }
    }

    /// Logs a detail that helps to find a fault in the program.
    package func debug(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        write(.debug, message, fields)
    }

    /// Logs an event that may interest the user.
    package func info(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        write(.info, message, fields)
    }

    /// Logs a failure that will be retried, or a degraded operation.
    package func warning(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        write(.warning, message, fields)
    }

    /// Logs a failure that needs an action of the user.
    package func error(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        write(.error, message, fields)
    }

    private func write(_ level: Level, _ message: () -> String, _ fields: () -> Fields) {
        guard level >= Self.level else { return }
        let line = LogLine(level: level, category: category, message: message(), fields: fields())
        LogOutput.standardError.write(line, countingRepeats: countsRepeats)
    }
}
