internal import Glibc

/// One of the two streams a command writes to: results go to `output`, everything else to `error`.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

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
