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

    /// Returns the contents of a file, or of a pipe or device up to its end.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The largest accepted size, in bytes.
    /// - Returns: All bytes of the file.
    /// - Throws: `SystemError`, which names the file, if it cannot be read or is larger.
    package static func bytes(of path: String, limit: Int = .max) throws(SystemError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("cannot read \(path)", errno) }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return content }
            guard count > 0 || errno == EINTR else { throw SystemError("cannot read \(path)", errno) }
            content += chunk[..<max(0, count)]
            guard content.count <= limit else {
                let size = limit < 1 << 20 ? "\(limit >> 10) KiB" : "\(limit >> 20) MiB"
                throw SystemError("cannot read \(path)", reason: "the file is larger than \(size)")
            }
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
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw SystemError("cannot write \(path)", errno) }
            rest = rest.dropFirst(max(0, count))
        }
        if isSynced, fsync(descriptor) != 0 { throw SystemError("cannot write \(path)", errno) }
    }
}
