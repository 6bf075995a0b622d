import Glibc
import Synchronization
import System

/// The destination of all log lines: standard error.
final class LogOutput: Sendable {
    static let standardError = LogOutput(descriptor: STDERR_FILENO)

    private let descriptor: Int32
    private let style: LogStyle
    private let threshold = Atomic<UInt8>(Log.Level.info.rank)
    private let filter = Mutex(RepeatFilter())

    init(descriptor: Int32) {
        self.descriptor = descriptor
        style = Self.style(of: descriptor)
    }

    var level: Log.Level {
        get { Log.Level.allCases.first { $0.rank == threshold.load(ordering: .relaxed) } ?? .info }
        set { threshold.store(newValue.rank, ordering: .relaxed) }
    }

    func write(_ line: LogLine, countingRepeats countsRepeats: Bool) {
        let time = LogTime.now
        let lines = countsRepeats ? filter.withLock { $0.lines(for: line, at: LogTime.uptime) } : [line]
        for line in lines {
            put(style.text(of: line, at: time))
        }
    }

    /// Writes with one call, so that lines of several processes do not mix.
    ///
    /// Text that cannot be written is lost.
    private func put(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            _ = unsafe Glibc.write(descriptor, utf8.baseAddress, utf8.count)
        }
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
