import Glibc

/// The user that a folder belongs to.
package enum FolderOwner {
    /// Gives up the rights of root for those of the owner of a folder.
    ///
    /// The owner may have put symbolic links into the folder: with the owner's rights, they lead nowhere else. Does nothing
    /// if this process is not root's, or if the folder is root's or does not exist.
    ///
    /// - Throws: `SystemError` if the process cannot take the identity; then the caller must not use the folder.
    package static func takeIdentity(of folder: String) throws(SystemError) {
        var status = stat()
        guard geteuid() == 0, stat(folder, &status) == 0, status.st_uid != 0 else { return }
        let account = getpwuid(status.st_uid)
        let group = account?.pointee.pw_gid ?? status.st_gid
        let hasGroups =
            if let name = account?.pointee.pw_name {
                initgroups(name, group) == 0
            } else {
                setgroups(1, [group]) == 0
            }
        guard hasGroups, setgid(group) == 0, setuid(status.st_uid) == 0 else {
            throw SystemError(
                "cannot use \(folder) as its owner, user \(status.st_uid): start the command as this user",
                reason: String(cString: strerror(errno)), errno)
        }
    }
}
