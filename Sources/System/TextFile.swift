import Glibc

/// Small text files that are read and written as a whole, such as those in /proc.
package enum TextFile {
    /// Returns the text of a file; nil if it cannot be read.
    package static func read(_ path: String) -> String? {
        do throws(SystemError) {
            return try read(ifPresent: path)
        } catch {
            return nil
        }
    }

    /// Returns the text of a file; nil only if there is no such file.
    ///
    /// - Throws: `SystemError`, which names the file, if it cannot be read.
    package static func read(ifPresent path: String) throws(SystemError) -> String? {
        do throws(SystemError) {
            return String(decoding: try bytes(of: path), as: UTF8.self)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
    }

    /// Returns the contents of a regular file, or of a pipe up to its end.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The largest accepted size, in bytes.
    ///   - pipeTime: How long to wait for each part of the contents of a pipe; nil: a pipe is rejected.
    /// - Returns: All bytes of the file.
    /// - Throws: `SystemError`, which names the file, if it cannot be read, is larger, or is a device or a socket.
    package static func bytes(
        of path: String, limit: Int = .max, waitingForPipe pipeTime: Duration? = nil
    ) throws(SystemError) -> [UInt8] {
        // Without O_NONBLOCK, opening a pipe would wait for a writer, without a limit.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("cannot read \(path)", errno) }
        defer { close(descriptor) }
        let isPipe = try isPipe(descriptor, path)
        guard !isPipe || pipeTime != nil else {
            throw SystemError("cannot read \(path)", reason: "it is a pipe: use a regular file")
        }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16384)
        var hasWaited = false
        while true {
            let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            // A pipe also ends, with 0 bytes, before its first writer has opened it.
            let isEnd = count == 0 && (!isPipe || hasWaited || !content.isEmpty)
            if isEnd { return content }
            if let pipeTime, count == 0 || count < 0 && errno == EAGAIN {
                try wait(for: descriptor, path, pipeTime)
                hasWaited = true
                continue
            }
            guard count > 0 || errno == EINTR else { throw SystemError("cannot read \(path)", errno) }
            content += chunk[..<max(0, count)]
            guard content.count <= limit else {
                let size = limit < 1 << 20 ? "\(limit >> 10) KiB" : "\(limit >> 20) MiB"
                throw SystemError("cannot read \(path)", reason: "the file is larger than \(size)")
            }
        }
    }

    /// Returns whether an open file is a pipe; false: it is a regular file.
    ///
    /// - Throws: `SystemError` for a file of another type, which could block or never end.
    private static func isPipe(_ descriptor: Int32, _ path: String) throws(SystemError) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError("cannot read \(path)", errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return false
        case S_IFIFO: return true
        case S_IFDIR: throw SystemError("cannot read \(path)", EISDIR)
        default: throw SystemError("cannot read \(path)", reason: "it is not a regular file")
        }
    }

    /// Waits until a pipe has data or has ended.
    private static func wait(for descriptor: Int32, _ path: String, _ limit: Duration) throws(SystemError) {
        var interest = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32(clamping: limit.nanoseconds / 1_000_000)
        guard poll(&interest, 1, milliseconds) != 0 else {
            throw SystemError("cannot read \(path)", reason: "the pipe had no data for \(limit.text)")
        }
    }

    /// Replaces the contents of a file; a new file can be read only by this user.
    ///
    /// - Parameters:
    ///   - text: The new contents.
    ///   - path: The path of the file, which is created if it does not exist.
    ///   - isSynced: Whether the call waits until the text is on the disk, which can take seconds on a memory card.
    /// - Throws: `SystemError`, which names the file, if not all of the text was written.
    package static func write(_ text: String, to path: String, isSynced: Bool = false) throws(SystemError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError("cannot write \(path)", errno) }
        defer { close(descriptor) }
        try write(text, to: descriptor, path, isSynced: isSynced)
    }

    /// Writes a text to an open file.
    static func write(
        _ text: String, to descriptor: Int32, _ path: String, isSynced: Bool
    ) throws(SystemError) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw SystemError("cannot write \(path)", errno) }
            rest = rest.dropFirst(max(0, count))
        }
        if isSynced, fsync(descriptor) != 0 { throw SystemError("cannot write \(path)", errno) }
    }
}
