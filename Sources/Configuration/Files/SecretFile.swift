import Glibc

/// The path of a file with a secret, and the revision of the file when the configuration was read.
///
/// If the file has been written since, a new value differs from this one: a reload therefore uses the new secret.
package struct SecretFile: Sendable, Equatable {
    private struct Revision: Equatable {
        let inode: ino_t
        let size: off_t
        /// The bytes of `st_mtim`, the time of the last modification.
        let time: [UInt8]
    }

    package let path: String
    /// The revision of the file; nil if the file does not exist or is not accessible.
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
