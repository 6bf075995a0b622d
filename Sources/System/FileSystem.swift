import CLinux
import Glibc

/// The file system of a folder; if the folder does not exist, of its nearest parent that exists.
package enum FileSystem {
    /// Returns the bytes that an unprivileged program can still write; nil if the system does not know.
    package static func freeBytes(of folder: String) -> Int? {
        space(of: folder).map { Int($0.f_bavail) * Int($0.f_frsize) }
    }

    /// Returns the size in bytes; nil if the system does not know.
    package static func totalBytes(of folder: String) -> Int? {
        space(of: folder).map { Int($0.f_blocks) * Int($0.f_frsize) }
    }

    /// Whether the file system of a folder is in memory.
    package static func isInMemory(_ folder: String) -> Bool {
        bluefleet_is_in_memory(existing(folder)) != 0
    }

    /// Whether the file system of a folder is on a memory card: a device of the kernel's mmc driver (sysfs(5)).
    package static func isOnCard(_ folder: String) -> Bool {
        var status = stat()
        guard stat(existing(folder), &status) == 0 else { return false }
        let (major, minor) = (bluefleet_major(status.st_dev), bluefleet_minor(status.st_dev))
        guard let path = realpath("/sys/dev/block/\(major):\(minor)", nil) else { return false }
        defer { free(path) }
        return String(cString: path).split(separator: "/").contains { $0.hasPrefix("mmcblk") }
    }

    /// Returns a name for a file or folder that no other one has had, also not at the same path; nil if the file system
    /// does not know when it was created.
    package static func identity(of path: String) -> String? {
        var status = stat()
        let created = bluefleet_creation_time(path)
        guard created != 0, lstat(path, &status) == 0 else { return nil }
        return "\(status.st_dev)-\(status.st_ino)-\(created)"
    }

    /// Returns the size of a file in bytes; nil if it does not exist.
    package static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    private static func space(of folder: String) -> statvfs? {
        var space = statvfs()
        return statvfs(existing(folder), &space) == 0 ? space : nil
    }

    /// Returns the folder, or its nearest parent that exists.
    private static func existing(_ folder: String) -> String {
        var folder = folder
        while folder != "/", folder != ".", access(folder, F_OK) != 0 { folder = Folder.parent(of: folder) }
        return folder
    }
}
