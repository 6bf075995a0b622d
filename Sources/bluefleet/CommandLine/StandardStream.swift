internal import Glibc
internal import Synchronization

/// One of the two streams a command writes to: results go to `output`, everything else to `error`.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// The error with which a result could not be written; 0 where none was lost.
    private static let loss = Atomic<Int32>(0)

    /// Why a result could not be written, in the system's words; nil where none was lost, or nobody wants them any more.
    static var reasonOfLoss: String? {
        let code = loss.load(ordering: .relaxed)
        return code == 0 ? nil : unsafe String(cString: strerror(code))
    }

    /// Keeps the numbers of the streams from what is opened later, where they are closed: writing to them fails.
    static func reserve() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", O_RDONLY)
        }
    }

    /// Writes a text and ends its line.
    ///
    /// - Returns: Whether anybody can read it: false once the pipe is closed or the terminal is gone.
    @discardableResult
    func print(_ line: String) -> Bool {
        write(line + "\n")
    }

    /// Writes a text as it is, all of it, without a buffer of our own.
    @discardableResult
    func write(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(rawValue, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Whoever shares the terminal with us has made it non-blocking.
                var descriptor = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                unsafe poll(&descriptor, 1, -1)
            } else if errno != EINTR {
                if self == .output, errno != EPIPE { Self.loss.store(errno, ordering: .relaxed) }
                return false
            }
        }
        return true
    }

    /// Whether a person looks at it.
    var isTerminal: Bool {
        isatty(rawValue) == 1
    }
}
