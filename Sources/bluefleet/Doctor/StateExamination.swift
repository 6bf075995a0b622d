internal import Configuration
internal import Glibc

/// Where the bridge keeps what must survive a restart.
enum StateExamination {
    static func findings(_ configuration: Configuration) -> [Diagnosis] {
        let folder = configuration.stateDirectory
        let user = SystemExamination.user
        guard let owner = owner(of: folder) else {
            // The bridge makes the last folder by itself.
            let parent = folder.split(separator: "/").dropLast().map { "/\($0)" }.joined()
            guard unsafe access(parent.isEmpty ? "/" : parent, W_OK | X_OK) != 0 else {
                return [.ok("state folder", "\(folder) will be made")]
            }
            return [
                .wrong(
                    "state folder", "\(folder) is not there", "sudo install -d -o \(user) \(folder)",
                    status: .noPermission)
            ]
        }
        if unsafe access(folder, R_OK | W_OK | X_OK) == 0 {
            return [
                isFull(folder)
                    ? .wrong("state folder", "the file system of \(folder) is full", "df -h \(folder)")
                    : .ok("state folder", folder)
            ]
        }
        // That of the service must stay the service's.
        let remedy =
            owner == 0
            ? "sudo chown \(user) \(folder)" : "sudo -u \(SystemExamination.name(of: owner)) bluefleet doctor"
        return [
            .wrong("state folder", "\(user) may not write to \(folder)", remedy, status: .noPermission)
        ]
    }

    /// Whether not even the least file finds room.
    private static func isFull(_ folder: String) -> Bool {
        var status = statvfs()
        return unsafe statvfs(folder, &status) == 0 && status.f_blocks > 0 && status.f_bavail == 0
    }

    /// Nil where there is no such folder.
    private static func owner(of folder: String) -> uid_t? {
        var status = stat()
        return unsafe stat(folder, &status) == 0 ? status.st_uid : nil
    }
}
