/// Writes the log lines of one part of the program to standard error.
///
///     let log = Log("mqtt")
///     log.warning("connection lost", ["reason": reason, "retry_in": delay])
///
/// The arguments of a line below the level of the log and of its observer are not evaluated. Control characters are
/// escaped, so that a message is always one line. Equal warnings and errors are written once in 30 s, and then with their
/// count; `always` writes each of them. Other lines are always written: the last line about a device must show its state.
package struct Log: Sendable {
    package typealias Fields = KeyValuePairs<String, any CustomStringConvertible>

    /// The subject of the lines: a part of the program, or a device.
    package let category: String

    /// Whether repeated warnings and errors are counted instead of written.
    private let countsRepeats: Bool

    package init(_ category: String) {
        self.init(category, countsRepeats: true)
    }

    private init(_ category: String, countsRepeats: Bool) {
        self.category = category
        self.countsRepeats = countsRepeats
    }

    /// The same log without counting repeats: for warnings and errors that are a change of state, whose last line must show
    /// the current state, and for responses to users.
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
        guard LogOutput.standardError.wants(level) else { return }
        let line = LogLine(level: level, category: category, message: message(), fields: fields())
        LogOutput.standardError.write(line, countingRepeats: countsRepeats && level >= .warning)
    }

    // MARK: All logs

    /// A line of the log.
    package struct Record: Sendable {
        package let level: Level
        /// A part of the program, or a device.
        package let subject: String
        /// The message and its fields, as one line.
        package let message: String
        package let time: LogTime
    }

    /// Writes the counts of repeated lines that are due; to be called from time to time.
    package static func reportRepeats() {
        LogOutput.standardError.reportRepeats()
    }

    /// Calls `body` with each line of at least this level from now on, on the thread that writes it; nil: ends that.
    ///
    /// The lines may be below `Log.level`. The closure must not write to the log.
    package static func observe(_ level: Level = .info, _ body: (@Sendable (Record) -> Void)?) {
        LogOutput.standardError.observe(level, body)
    }
}
