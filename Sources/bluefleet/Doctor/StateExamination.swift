internal import Configuration
internal import Glibc

/// Where the bridge keeps what must survive a restart.
enum StateExamination {
    static func findings(_ configuration: Configuration) -> [Diagnosis] {
        let folder = configuration.stateDirectory
        let user = SystemExamination.user
        let remedy = "sudo install -d -o \(user) \(folder)"
        if unsafe access(folder, F_OK) != 0 {
            // The bridge makes the last folder by itself.
            let parent = folder.split(separator: "/").dropLast().map { "/\($0)" }.joined()
            guard unsafe access(parent.isEmpty ? "/" : parent, W_OK | X_OK) != 0 else {
                return [.ok("state folder", "\(folder) will be made")]
            }
            return [.wrong("state folder", "\(folder) is not there", remedy, status: .noPermission)]
        }
        guard unsafe access(folder, R_OK | W_OK | X_OK) == 0 else {
            return [.wrong("state folder", "\(user) may not write to \(folder)", remedy, status: .noPermission)]
        }
        return [.ok("state folder", folder)]
    }
}
