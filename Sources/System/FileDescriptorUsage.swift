import Glibc

/// The number of file descriptors that this process has open, and its limit.
package struct FileDescriptorUsage {
    package let used: Int
    /// The soft limit (getrlimit(2), RLIMIT_NOFILE).
    package let limit: Int

    package init(used: Int, limit: Int) {
        self.used = used
        self.limit = limit
    }

    /// The present usage.
    package static var current: FileDescriptorUsage {
        var bounds = rlimit()
        _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &bounds)
        let limit = Int(clamping: bounds.rlim_cur)
        guard let folder = opendir("/proc/self/fd") else {
            return FileDescriptorUsage(used: [EMFILE, ENFILE].contains(errno) ? limit : 0, limit: limit)
        }
        defer { closedir(folder) }
        // The entries `.` and `..`, and the descriptor of the folder itself.
        var used = -3
        while readdir(folder) != nil { used += 1 }
        return FileDescriptorUsage(used: max(0, used), limit: limit)
    }
}
