import Glibc
import System

/// A file that the configuration names, for example in `password_file`, and that the current user cannot read.
struct NamedFile {
    let path: String
    /// Whether a user exists.
    var exists: (_ user: String) -> Bool = { unsafe getpwnam($0) != nil }
    var user = SystemChecks.user
    var group = SystemChecks.group

    /// The user of the service, which is also its group.
    private static let service = "bluefleet"

    /// The command that fixes the problem with the file, or shows more about it.
    ///
    /// The commands are those of config/installing.md: only the service can read a password.
    var remedy: String {
        let name = path.printable
        let isService = user == Self.service
        if unsafe access(path, F_OK) != 0 {
            guard errno == ENOENT else { return "namei -l \(name)" }
            return "sudo install -m 640 -g \(exists(Self.service) ? Self.service : group) /dev/stdin \(name)"
        }
        guard isService || !exists(Self.service) else { return "sudo -u \(Self.service) bluefleet doctor" }
        return "sudo chgrp \(group) \(name) && sudo chmod 640 \(name)"
    }
}
