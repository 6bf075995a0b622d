import Configuration
import Glibc
import System

/// Checks the folder for the state that the bridge keeps across restarts.
enum StateDirectoryChecks {
    static func findings(_ configuration: Configuration, of file: ConfigurationFile) -> [Diagnosis] {
        [diagnosis(of: configuration.stateDirectory, setting: "in \(file.name), change state_directory")]
    }

    private static func diagnosis(of folder: String, setting: String) -> Diagnosis {
        let subject = "state folder"
        let user = SystemChecks.user
        var status = stat()
        guard unsafe stat(folder, &status) == 0 else {
            // The bridge creates the last folder of the path.
            guard unsafe access(Folder.parent(of: folder), W_OK | X_OK) != 0 else {
                return .ok(subject, "\(folder) will be created")
            }
            return .wrong(
                subject, "\(folder) does not exist", "sudo install -d -o \(SystemChecks.owner(getuid())) \(folder)",
                status: .noPermission)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return .wrong(subject, "\(folder) is not a folder", setting, status: .badConfiguration)
        }
        guard unsafe access(folder, R_OK | W_OK | X_OK) != 0 else {
            return isFull(folder)
                ? .wrong(subject, "the file system of \(folder) is full", "df -h \(folder)") : .ok(subject, folder)
        }
        if errno == EROFS {
            return .wrong(subject, "the file system of \(folder) is read-only", "findmnt -T \(folder)")
        }
        return .wrong(
            subject, "user \(user) cannot write to \(folder)", remedy(for: folder, of: status.st_uid),
            status: .noPermission)
    }

    /// Returns the command that makes a folder writable.
    private static func remedy(for folder: String, of owner: uid_t) -> String {
        switch owner {
        case getuid(): "chmod u+rwx \(folder)"
        case 0: "sudo chown \(SystemChecks.owner(getuid())) \(folder)"
        // The user of the service must remain the owner of its folder.
        default: "sudo -u \(SystemChecks.account(owner)) bluefleet doctor"
        }
    }

    /// Returns whether the file system has no free block.
    private static func isFull(_ folder: String) -> Bool {
        var status = statvfs()
        return unsafe statvfs(folder, &status) == 0 && status.f_blocks > 0 && status.f_bavail == 0
    }
}
