import Glibc
import System

/// The file descriptor of a log, which never makes the program wait.
///
/// A reader that stops, such as a blocked pipe or a stopped terminal, loses lines: they are counted, and the count is the
/// first line that the reader receives later. The program goes on.
struct LogDestination: ~Copyable {
    private let descriptor: UnblockedDescriptor
    private let style: LogStyle
    /// The end of a line whose beginning is written.
    private var rest: ArraySlice<UInt8> = []
    /// The number of lines that were lost since the last note.
    private var lost = 0

    init(_ descriptor: Int32) {
        self.descriptor = UnblockedDescriptor(descriptor)
        style = Self.style(of: descriptor)
    }

    /// Writes a line, or counts it as lost.
    mutating func put(_ line: LogLine, at time: LogTime) {
        reportLoss(at: time)
        if lost > 0 || !write(style.text(of: line, at: time)) { lost += 1 }
    }

    /// Writes how many lines were lost, if the reader takes lines again.
    mutating func reportLoss(at time: LogTime) {
        guard lost > 0 else { return }
        let lines = lost == 1 ? "1 line of the log is" : "\(lost) lines of the log are"
        let note = LogLine(
            level: .warning, category: "log", message: "\(lines) lost: the reader of standard error did not read them")
        if write(style.text(of: note, at: time)) { lost = 0 }
    }

    /// Writes with one call, so that lines of several processes do not mix; returns false if nothing was written.
    private mutating func write(_ text: String) -> Bool {
        guard writeRest() else { return false }
        let bytes = Array(text.utf8)
        guard let count = write(bytes[...]) else { return false }
        rest = bytes[count...]
        return true
    }

    /// Returns whether the beginning of another line may be written.
    private mutating func writeRest() -> Bool {
        guard !rest.isEmpty else { return true }
        rest = rest.dropFirst(write(rest) ?? 0)
        return rest.isEmpty
    }

    /// Returns the number of bytes that were written; nil if none were.
    private func write(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard case .written(let count) = descriptor.write(bytes) else { return nil }
        return count
    }

    private static func style(of descriptor: Int32) -> LogStyle {
        if isJournal(descriptor) { return .journal }
        return isatty(descriptor) == 1 ? .terminal : .file
    }

    /// Returns whether systemd connected the descriptor to the journal (systemd.exec(5), JOURNAL_STREAM).
    ///
    /// The variable alone is not sufficient: a child process inherits it although its descriptor may be redirected.
    private static func isJournal(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard let stream = unsafe getenv("JOURNAL_STREAM"), unsafe fstat(descriptor, &status) == 0 else { return false }
        return unsafe String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }
}
