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

    private let destination: Mutex<LogDestination>
    private let threshold = Atomic<UInt8>(Log.Level.info.rank)
    /// The minimum of `threshold` and of the observer's level.
    private let lowest = Atomic<UInt8>(Log.Level.info.rank)
    private let filter = Mutex(RepeatFilter())
    private let observer = Mutex<Observer?>(nil)

    init(descriptor: Int32) {
        destination = Mutex(LogDestination(descriptor))
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

    /// Writes the counts of the repeated lines whose period is over, and of the lines that are lost.
    func reportRepeats() {
        let time = LogTime.now
        let now = RepeatFilter.Moment(uptime: LogTime.uptime, time: time)
        put(filter.withLock { $0.overdue(at: now) }, at: time)
        destination.withLock { $0.reportLoss(at: time) }
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
            if line.level.rank >= threshold.load(ordering: .relaxed) {
                destination.withLock { $0.put(line, at: time) }
            }
            guard let observer, line.level >= observer.level else { continue }
            observer.body(Log.Record(level: line.level, subject: line.category, message: line.message, time: time))
        }
    }
}
