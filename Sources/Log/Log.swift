/// Writes the lines of one part of the program to standard error.
///
///     let log = Log("mqtt")
///     log.warning("connection lost", ["reason": reason, "retry_in": delay])
///
/// Nothing is evaluated when the level is off. A line is never more than one line, whatever is in it, and a line that
/// keeps repeating is written now and then with a count; see `always` for the others.
package struct Log: Sendable {
    package typealias Fields = KeyValuePairs<String, any CustomStringConvertible>

    /// What the lines are about: a part of the program or a device.
    package let category: String

    /// Whether a line that keeps repeating is only counted.
    private let countsRepeats: Bool

    package init(_ category: String) {
        self.init(category, countsRepeats: true)
    }

    private init(_ category: String, countsRepeats: Bool) {
        self.category = category
        self.countsRepeats = countsRepeats
    }

    /// The same for lines of which each is written, however many are alike: answers to somebody, and changes between
    /// states, of which the last one is to be what holds.
    package var always: Log {
        Log(category, countsRepeats: false)
    }

    /// The least important lines that are still written.
    package static var level: Level {
        get { LogOutput.standardError.level }
        set { LogOutput.standardError.level = newValue }
    }

    /// What only helps to find a fault in the program.
    package func debug(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        write(.debug, message, fields)
    }

    /// What a user may like to know.
    package func info(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        write(.info, message, fields)
    }

    /// What went wrong and will be tried again, or works less well than it should.
    package func warning(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        write(.warning, message, fields)
    }

    /// What does not work until somebody does something.
    package func error(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> Fields = [:]) {
        write(.error, message, fields)
    }

    private func write(_ level: Level, _ message: () -> String, _ fields: () -> Fields) {
        guard level >= Self.level else { return }
        let line = LogLine(level: level, category: category, message: message(), fields: fields())
        LogOutput.standardError.write(line, countingRepeats: countsRepeats)
    }
}
