import Glibc

/// The file descriptor of a log, which never makes the program wait.
///
/// A reader that stops, such as a blocked pipe or a stopped terminal, loses lines: they are counted, and the count is the
/// first line that the reader receives later. The program goes on.
///
/// The flag `O_NONBLOCK` belongs to the open file, which other processes share, so it is not changed.
struct LogDestination: ~Copyable {
    /// How to write without waiting.
    private enum Method {
        /// A regular file: a write does not wait for a reader.
        case file
        /// A socket, such as that of the journal.
        case socket
        /// A pipe or a terminal that was opened again without blocking, by the new descriptor.
        case reopened(Int32)
        /// A pipe or a terminal that this process may not open again: a short write does not block when `poll` permits it.
        case polled
    }

    private let descriptor: Int32
    private let style: LogStyle
    private let method: Method
    /// The end of a line whose beginning is written.
    private var rest: ArraySlice<UInt8> = []
    /// The number of lines that were lost since the last note.
    private var lost = 0

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        style = Self.style(of: descriptor)
        method = Self.method(of: descriptor)
    }

    deinit {
        if case .reopened(let own) = method { close(own) }
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
        unsafe bytes.withUnsafeBytes { buffer in
            while true {
                let count =
                    switch method {
                    case .file: unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
                    case .socket:
                        unsafe send(
                            descriptor, buffer.baseAddress, buffer.count,
                            Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
                    case .reopened(let own): unsafe Glibc.write(own, buffer.baseAddress, buffer.count)
                    case .polled:
                        isReady ? unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count) : -1
                    }
                if count >= 0 { return count }
                if errno != EINTR { return nil }
            }
        }
    }

    /// Whether a write does not wait: a line is shorter than the part of a pipe that `poll` reports as free (pipe(7)).
    private var isReady: Bool {
        var interest = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&interest, 1, 0) == 1 else {
            errno = EAGAIN
            return false
        }
        return true
    }

    private static func method(of descriptor: Int32) -> Method {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return .file }
        switch status.st_mode & S_IFMT {
        case S_IFSOCK: return .socket
        case S_IFIFO, S_IFCHR:
            let own = unsafe open(
                "/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            return own < 0 ? .polled : .reopened(own)
        default: return .file
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
