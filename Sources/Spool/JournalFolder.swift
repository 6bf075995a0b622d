import Glibc
import System

/// The folder of a journal: in memory where this outlives the program, otherwise the folder of the `SpoolFile`.
///
/// In memory, the journal costs no write to the disk. On ext4, it would write 2 kB per second at ten values per second: the
/// times of the files change, and the kernel writes what stays for 30 s.
enum JournalFolder {
    /// The folder of the journals of this user in memory; nil if an end of the program could remove it.
    ///
    /// The memory of a container ends with its program. The files of a person, but not those of a system user, are
    /// removed when the person logs out (`RemoveIPC` in logind.conf(5)).
    static let shared: String? = {
        var name = [CChar](repeating: 0, count: 64)
        // The first process namespace (PROC_PID_INIT_INO of the kernel).
        guard readlink("/proc/self/ns/pid", &name, name.count - 1) > 0,
            name.starts(with: "pid:[4026531836]".utf8CString.dropLast()),
            geteuid() < 1000, FileSystem.isInMemory("/dev/shm")
        else { return nil }
        return "/dev/shm/bluefleet-\(geteuid())"
    }()

    /// Returns the folder in memory for the folder of a `SpoolFile`.
    ///
    /// - Parameters:
    ///   - folder: the folder of the `SpoolFile`.
    ///   - shared: the folder of all journals in memory.
    /// - Returns: The folder; nil if there is none.
    static func path(for folder: String, in shared: String? = shared) -> String? {
        guard let shared, isPrivate(shared), let name = FileSystem.identity(of: folder) else { return nil }
        return "\(shared)/\(name)"
    }

    /// Creates the folder in memory for the folder of a `SpoolFile`, and returns it; nil if it cannot be used.
    static func create(for folder: String, in shared: String?) -> String? {
        guard let shared, !FileSystem.isInMemory(folder) else { return nil }
        mkdir(shared, 0o700)
        guard let path = path(for: folder, in: shared) else { return nil }
        mkdir(path, 0o700)
        return isPrivate(path) ? path : nil
    }

    /// Removes a folder in memory with its two files: it would otherwise remain until the next start of the machine.
    static func remove(_ path: String) {
        for file in JournalContents.paths(in: path) { unlink(file) }
        rmdir(path)
    }

    /// Returns whether a path is a folder that only this user can change: every user can create files in /dev/shm.
    private static func isPrivate(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o022 == 0
    }
}
