import Glibc
import Synchronization
import System

/// The destination of all log lines: standard error.
final class LogOutput: Sendable {
    static let standardError = LogOutput(descriptor: STDERR_FILENO)

    private struct Observer: Sendable {
        let level: Log.Level
        let body: @Sendable (Log.Record) -> Void
    }

    private let descriptor: Int32
    private let style: LogStyle
    private let threshold = Atomic<UInt8>(Log.Level.info.rank)
    /// The minimum of `threshold` and of the observer's level.
    private let lowest = Atomic<UInt8>(Log.Level.info.rank)
    private let filter = Mutex(RepeatFilter())
    private let observer = Mutex<Observer?>(nil)

    init(descriptor: Int32) {
        self.descriptor = descriptor
        style = Self.style(of: descriptor)
    }

    var level: Log.Level {
        get { Log.Level.allCases.first { $0.rank == threshold.load(ordering: .relaxed) } ?? .info }
        set {
            threshold.store(newValue.rank, ordering: .relaxed)
            observer.withLock { updateLowest($0) }
        }
    }

    /// Returns whether a line of this level is written, or wanted by the observer.
    func wants(_ level: Log.Level) -> Bool {
        level.rank >= lowest.load(ordering: .relaxed)
    }

    private func updateLowest(_ observer: Observer?) {
        lowest.store(min(threshold.load(ordering: .relaxed), observer?.level.rank ?? .max), ordering: .relaxed)
    }

    func write(_ line: LogLine, countingRepeats countsRepeats: Bool) {
        let time = LogTime.now
        let now = RepeatFilter.Moment(uptime: LogTime.uptime, time: time)
        put(countsRepeats ? filter.withLock { $0.lines(for: line, at: now) } : [line], at: time)
    }

    /// Writes the counts of the repeated lines whose period is over.
    func reportRepeats() {
        let time = LogTime.now
        let now = RepeatFilter.Moment(uptime: LogTime.uptime, time: time)
        put(filter.withLock { $0.overdue(at: now) }, at: time)
    }

    /// Calls `body` with each line of at least this level from now on, on the thread that writes it; nil: ends that.
    func observe(_ level: Log.Level, _ body: (@Sendable (Log.Record) -> Void)?) {
        observer.withLock { observer in
            observer = body.map { Observer(level: level, body: $0) }
            updateLowest(observer)
        }
    }

    private func put(_ lines: [LogLine], at time: LogTime) {
        guard !lines.isEmpty else { return }
        let observer = observer.withLock { $0 }
        for line in lines {
            if line.level.rank >= threshold.load(ordering: .relaxed) { put(style.text(of: line, at: time)) }
            guard let observer, line.level >= observer.level else { continue }
            observer.body(Log.Record(level: line.level, subject: line.category, message: line.message, time: time))
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
