import Glibc
import Synchronization

/// The two output streams of a command: `output` for results, `error` for messages and progress.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// The value of `errno` of the last failed write of a result; 0 if all results were written.
    private static let loss = Atomic<Int32>(0)

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

    /// Writes a line.
    ///
    /// - Returns: False if the line could not be written, e.g. because the pipe or the terminal has been closed.
    @discardableResult
    func print(_ line: String) -> Bool {
        write(line + "\n")
    }

    /// Writes a text completely, without buffering; returns false if the text could not be written.
    @discardableResult
    func write(_ text: String) -> Bool {
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
                if self == .output, errno != EPIPE { Self.loss.store(errno, ordering: .relaxed) }
                return false
            }
        }
        return true
    }

    /// Whether the stream is a terminal.
    var isTerminal: Bool {
        isatty(rawValue) == 1
    }
}
