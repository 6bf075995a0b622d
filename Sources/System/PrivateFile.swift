import Glibc

/// The files of a folder that only one user changes, such as the state folder.
///
/// A symbolic link or a second name of a file in this folder could make the program change a file elsewhere, with the rights
/// of root if a person starts it with sudo. A file is therefore opened only if it is a regular file with one name, of the
/// owner of the folder, of this process, or of root.
package enum PrivateFile {
    /// Opens a file; a new file can be read only by its owner.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - flags: the flags of open(2).
    ///   - action: the action for the error: `write`, `read` or `lock`.
    /// - Returns: The descriptor, which the caller closes.
    /// - Throws: `SystemError`, which names the file and the reason; then no file was changed.
    package static func open(_ path: String, _ flags: Int32, to action: String) throws(SystemError) -> Int32 {
        // A pipe in the place of the file would make this call wait.
        let descriptor = Glibc.open(
            path, flags & ~O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0o600 as mode_t)
        guard descriptor >= 0 else {
            guard errno == ELOOP else { throw SystemError("cannot \(action) \(path)", errno) }
            throw SystemError("cannot \(action) \(path)", reason: linkReason, ELOOP)
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, let reason = refusal(of: status, at: path) else {
            if flags & O_TRUNC != 0 { ftruncate(descriptor, 0) }
            return descriptor
        }
        close(descriptor)
        throw SystemError("cannot \(action) \(path)", reason: reason)
    }

    /// Checks a file that a library opens; a missing file is accepted.
    ///
    /// - Throws: `SystemError`, which names the file and the reason.
    package static func check(_ path: String) throws(SystemError) {
        var status = stat()
        guard lstat(path, &status) == 0, let reason = refusal(of: status, at: path) else { return }
        throw SystemError("cannot use \(path)", reason: reason)
    }

    /// Returns why a file is not used; nil if it is used.
    private static func refusal(of status: stat, at path: String) -> String? {
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFLNK: return linkReason
        default: return "it is not a regular file: remove it"
        }
        guard status.st_nlink <= 1 else { return "it has a second name (a hard link): remove it" }
        var folder = stat()
        let owners = stat(Folder.parent(of: path), &folder) == 0 ? [folder.st_uid, geteuid(), 0] : [geteuid(), 0]
        if owners.contains(status.st_uid) { return nil }
        return "it belongs to user \(status.st_uid), not to the owner of its folder: change its owner, or remove it"
    }

    private static let linkReason = "it is a symbolic link: remove it"

    /// Reads the text of a file.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - limit: the number of bytes after which the text may be cut.
    /// - Returns: The text; nil if there is no such file.
    /// - Throws: `SystemError`, which names the file, if it cannot be read.
    package static func read(ifPresent path: String, limit: Int) throws(SystemError) -> String? {
        let descriptor: Int32
        do throws(SystemError) {
            descriptor = try open(path, O_RDONLY, to: "read")
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw SystemError("cannot read \(path)", errno) }
            if count == 0 || content.count > limit { return String(decoding: content, as: UTF8.self) }
            content += chunk[..<max(0, count)]
        }
    }

    /// Replaces the contents of a file, which is created if it does not exist.
    ///
    /// - Parameters:
    ///   - text: the new contents.
    ///   - path: the path of the file.
    ///   - isSynced: whether the call waits until the text is on the disk, which can take seconds on a memory card.
    /// - Throws: `SystemError`, which names the file, if not all of the text was written.
    package static func write(_ text: String, to path: String, isSynced: Bool = false) throws(SystemError) {
        let descriptor = try open(path, O_WRONLY | O_CREAT | O_TRUNC, to: "write")
        defer { close(descriptor) }
        try TextFile.write(text, to: descriptor, path, isSynced: isSynced)
    }
}
