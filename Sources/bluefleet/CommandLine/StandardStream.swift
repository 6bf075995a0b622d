import EventLoop
import Glibc
import Synchronization
import System

/// The two output streams of a command: `output` for results, `error` for messages and progress.
///
/// While the loop of a command runs, a stream never blocks the loop: what the reader does not accept waits in a queue.
enum StandardStream: Int32, CaseIterable {
    case output = 1
    case error = 2

    /// The loop of the command, and whether it offers the waiting bytes to the readers again.
    private struct Running {
        let loop: EventLoop
        var retries = false
    }

    /// The value of `errno` of the last failed write of a result; 0 if all results were written.
    private static let loss = Atomic<Int32>(0)
    /// Whether a signal has asked the command to stop: it then does not wait long for a reader.
    private static let isStopping = Atomic<Bool>(false)
    /// Nil while no loop runs: writes then wait for the reader.
    private static let running = Mutex<Running?>(nil)
    private static let outputQueue = Mutex<OutputQueue?>(nil)
    private static let errorQueue = Mutex<OutputQueue?>(nil)

    /// The time after which waiting bytes are offered to the readers again.
    private static let retryTime = Duration.milliseconds(50)
    /// How long the readers have for the waiting bytes after a signal, in milliseconds.
    private static let stopTime: Int32 = 1000

    /// The reason why a result could not be written; nil if no result was lost, or if the reader closed the pipe.
    static var reasonOfLoss: String? {
        let code = loss.load(ordering: .relaxed)
        return code == 0 ? nil : unsafe String(cString: strerror(code))
    }

    /// Opens /dev/null for closed standard streams, so that no other file gets the number of a standard stream.
    static func reserve() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", O_RDONLY)
        }
    }

    // MARK: While a loop runs

    /// Begins to queue what the readers do not accept, because a loop runs from now on.
    static func beginLoop(_ loop: EventLoop) {
        for stream in allCases {
            stream.withQueue { $0 = OutputQueue(stream.rawValue) }
        }
        running.withLock { $0 = Running(loop: loop) }
    }

    /// Notes that a signal has asked the command to stop.
    static func willStop() {
        isStopping.store(true, ordering: .relaxed)
    }

    /// Writes the waiting bytes after the end of the loop.
    ///
    /// The process waits for the readers like any other program, and a signal ends it; after a signal it waits for a second.
    static func endLoop() {
        running.withLock { $0 = nil }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&signals, signal) }
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        let limit = isStopping.load(ordering: .relaxed) ? stopTime : nil
        for stream in allCases {
            stream.withQueue { $0?.finish(within: limit) }
            stream.noteResult()
            stream.withQueue { $0 = nil }
        }
    }

    private static func retryLater() {
        running.withLock { running in
            guard let loop = running?.loop, running?.retries == false else { return }
            running?.retries = true
            loop.schedule(after: retryTime) { retry() }
        }
    }

    private static func retry() {
        running.withLock { $0?.retries = false }
        for stream in allCases {
            stream.withQueue { $0?.flush() }
            stream.noteResult()
        }
    }

    /// Notes a failure, reports lost values, and tries again later if bytes wait.
    private func noteResult() {
        let (isWaiting, failure, lost) = withQueue { queue in
            (queue?.isWaiting ?? false, queue?.failure ?? 0, queue?.takeLoss() ?? 0)
        }
        if failure != 0 { noteFailure(failure) }
        if isWaiting { Self.retryLater() }
        guard lost > 0 else { return }
        let values = lost == 1 ? "1 value is" : "\(lost) values are"
        Self.error.print("\(Program.name): \(values) lost: the reader of standard output did not read them")
    }

    private func withQueue<Result>(_ body: (inout OutputQueue?) -> Result) -> Result {
        switch self {
        case .output: Self.outputQueue.withLock { body(&$0) }
        case .error: Self.errorQueue.withLock { body(&$0) }
        }
    }

    // MARK: Writing

    /// Writes a line.
    ///
    /// - Returns: False if the line could not be written, e.g. because the pipe or the terminal has been closed.
    @discardableResult
    func print(_ line: String) -> Bool {
        write(line + "\n")
    }

    /// Writes a line with one of many values: it is lost and counted if the reader has stopped.
    ///
    /// - Returns: False if the line could not be written, e.g. because the pipe or the terminal has been closed.
    func print(value line: String) -> Bool {
        write(line + "\n", isValue: true)
    }

    /// Writes a text completely, without buffering; returns false if the text could not be written.
    ///
    /// While a loop runs, what the reader does not accept is written later.
    @discardableResult
    func write(_ text: String) -> Bool {
        write(text, isValue: false)
    }

    private func write(_ text: String, isValue: Bool) -> Bool {
        let failure = withQueue { queue -> Int32? in
            queue?.put(text, isValue: isValue)
            return queue?.failure
        }
        guard let failure else { return writeWaiting(text) }
        noteResult()
        return failure == 0
    }

    /// Whether the reader has not accepted everything yet: a display that is updated in place then skips an update.
    var isWaiting: Bool {
        withQueue { $0?.isWaiting ?? false }
    }

    private func writeWaiting(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(rawValue, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Another process that shares the terminal has made it non-blocking.
                var descriptor = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                unsafe poll(&descriptor, 1, -1)
            } else if errno != EINTR {
                noteFailure(errno)
                return false
            }
        }
        return true
    }

    private func noteFailure(_ code: Int32) {
        if self == .output, code != EPIPE { Self.loss.store(code, ordering: .relaxed) }
    }

    /// Whether the stream is a terminal.
    var isTerminal: Bool {
        isatty(rawValue) == 1
    }
}
