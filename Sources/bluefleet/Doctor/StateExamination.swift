internal import Configuration
internal import Glibc

/// Where the bridge keeps what must survive a restart.
enum StateExamination {
    static func findings(_ configuration: Configuration, of file: ConfigurationFile) -> [Diagnosis] {
        [diagnosis(of: configuration.stateDirectory, setting: "\(file.name), state_directory")]
    }

    private static func diagnosis(of folder: String, setting: String) -> Diagnosis {
        let subject = "state folder"
        let user = SystemExamination.user
        var status = stat()
        guard unsafe stat(folder, &status) == 0 else {
            // The bridge makes the last folder by itself.
            guard unsafe access(parent(of: folder), W_OK | X_OK) != 0 else {
                return .ok(subject, "\(folder) will be made")
            }
            return .wrong(
                subject, "\(folder) is not there", "sudo install -d -o \(SystemExamination.owner(getuid())) \(folder)",
                status: .noPermission)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return .wrong(subject, "\(folder) is no folder", setting, status: .badConfiguration)
        }
        guard unsafe access(folder, R_OK | W_OK | X_OK) != 0 else {
            return isFull(folder)
                ? .wrong(subject, "the file system of \(folder) is full", "df -h \(folder)") : .ok(subject, folder)
        }
        if errno == EROFS {
            return .wrong(subject, "the file system of \(folder) is read-only", "findmnt -T \(folder)")
        }
        return .wrong(
            subject, "\(user) may not write to \(folder)", remedy(for: folder, of: status.st_uid),
            status: .noPermission)
    }

    /// What gives its user the right to write to a folder.
    private static func remedy(for folder: String, of owner: uid_t) -> String {
        switch owner {
        case getuid(): "chmod u+rwx \(folder)"
        case 0: "sudo chown \(SystemExamination.owner(getuid())) \(folder)"
        // That of the service must stay the service's.
        default: "sudo -u \(SystemExamination.account(owner)) bluefleet doctor"
        }
    }

    /// The folder in which one stands, or is to be made.
    static func parent(of folder: String) -> String {
        var path = folder
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Whether not even the least file finds room.
    private static func isFull(_ folder: String) -> Bool {
        var status = statvfs()
        return unsafe statvfs(folder, &status) == 0 && status.f_blocks > 0 && status.f_bavail == 0
    }
}
