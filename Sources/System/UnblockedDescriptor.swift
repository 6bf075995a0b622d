import Glibc

/// An open file for output whose writes never make the program wait for a reader, such as a blocked pipe or a stopped
/// terminal.
///
/// The flag `O_NONBLOCK` belongs to the open file, which other processes share, so it is not changed.
package struct UnblockedDescriptor: ~Copyable {
    /// The result of a write.
    package enum Outcome: Equatable {
        /// The number of bytes that were written, at least one.
        case written(Int)
        /// The reader accepts no bytes at the moment.
        case busy
        /// The value of `errno` of another failure.
        case failed(Int32)
    }

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
    private let method: Method

    /// The length of a write that does not block when `poll` permits it, in bytes: less than the part of a pipe that `poll`
    /// reports as free (pipe(7)).
    private static let shortWrite = 2048

    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
        method = Self.method(of: descriptor)
    }

    deinit {
        if case .reopened(let own) = method { close(own) }
    }

    /// Writes some or all of the bytes with one call, without waiting.
    package func write(_ bytes: ArraySlice<UInt8>) -> Outcome {
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
                        isReady
                            ? unsafe Glibc.write(descriptor, buffer.baseAddress, min(buffer.count, Self.shortWrite))
                            : -1
                    }
                if count > 0 { return .written(count) }
                if count == 0 || errno == EAGAIN { return .busy }
                if errno != EINTR { return .failed(errno) }
            }
        }
    }

    /// Waits until the reader accepts bytes or a time is over.
    ///
    /// - Parameter limit: the time in milliseconds; -1: without limit.
    package func wait(_ limit: Int32) {
        var interest = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&interest, 1, limit)
    }

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
        // A file that is open for reading only rejects a write.
        guard fcntl(descriptor, F_GETFL) & O_ACCMODE != O_RDONLY, unsafe fstat(descriptor, &status) == 0 else {
            return .file
        }
        switch status.st_mode & S_IFMT {
        case S_IFSOCK: return .socket
        case S_IFIFO, S_IFCHR:
            let own = unsafe open(
                "/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            return own < 0 ? .polled : .reopened(own)
        default: return .file
        }
    }
}
