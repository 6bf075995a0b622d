import Glibc

/// The lock of a folder that only one process may use; it ends with the object, and with the process in any case.
package final class FolderLock {
    /// The reason why a folder cannot be locked.
    package enum Obstacle: Error {
        /// Another process holds the lock; its number, or nil if it is unknown.
        case held(by: Int?)
        /// The file of the lock cannot be opened.
        case system(SystemError)
    }

    private let descriptor: Int32

    /// Locks a folder, which is created if it does not exist; its file `lock` contains the number of this process.
    ///
    /// - Parameter folder: The path of the folder; its parent must exist.
    /// - Throws: `Obstacle`.
    package init(_ folder: String) throws(Obstacle) {
        // An existing folder is not changed. If the folder cannot be created, opening the file fails.
        _ = unsafe mkdir(folder, 0o700)
        let path = "\(folder)/lock"
        let descriptor: Int32
        do throws(SystemError) {
            descriptor = try PrivateFile.open(path, O_RDWR | O_CREAT, to: "lock")
        } catch {
            throw .system(error)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            close(descriptor)
            guard reason == EWOULDBLOCK else { throw .system(SystemError("cannot lock \(path)", reason)) }
            let holder = TextFile.read(path)?.split(whereSeparator: \.isWhitespace).first
            throw .held(by: holder.flatMap { Int($0) })
        }
        self.descriptor = descriptor
        // The number is for people; a full disk does not matter.
        _ = ftruncate(descriptor, 0)
        try? TextFile.write("\(getpid())\n", to: descriptor, path, isSynced: false)
    }

    deinit {
        // A child process that is just being started has the descriptor too, until its program is loaded: closing this one
        // would not end the lock yet.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
