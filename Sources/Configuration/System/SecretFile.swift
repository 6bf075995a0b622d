internal import Glibc

/// A file that holds a secret, as it was when the configuration was read: once it is written anew, it is another one.
package struct SecretFile: Sendable, Equatable {
    private struct Revision: Equatable {
        let inode: ino_t
        let size: off_t
        let seconds: Int
        let nanoseconds: Int
    }

    package let path: String
    /// nil where there is no such file, or none that may be looked at.
    private let revision: Revision?

    init(_ path: String) {
        self.path = path
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            revision = nil
            return
        }
        revision = Revision(
            inode: status.st_ino, size: status.st_size, seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
    }
}
