internal import Glibc

/// A file that holds a secret, as it was when the configuration was read: once it is written anew, it is another one.
package struct SecretFile: Sendable, Equatable {
    private struct Revision: Equatable {
        let inode: ino_t
        let size: off_t
        /// The time of the last change, as the system writes it.
        let time: [UInt8]
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
        let time = unsafe withUnsafeBytes(of: status.st_mtim) { unsafe [UInt8]($0) }
        revision = Revision(inode: status.st_ino, size: status.st_size, time: time)
    }
}
