import Glibc

/// The file system of a folder.
package enum FileSystem {
    /// Returns the bytes that an unprivileged program can still write; nil if the folder does not exist.
    package static func freeBytes(of folder: String) -> Int? {
        space(of: folder).map { Int($0.f_bavail) * Int($0.f_frsize) }
    }

    /// Returns the size in bytes; nil if the folder does not exist.
    package static func totalBytes(of folder: String) -> Int? {
        space(of: folder).map { Int($0.f_blocks) * Int($0.f_frsize) }
    }

    private static func space(of folder: String) -> statvfs? {
        var space = statvfs()
        return statvfs(folder, &space) == 0 ? space : nil
    }
}
