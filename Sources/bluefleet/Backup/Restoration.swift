import Codec
import Configuration
import Devices
import Glibc
import JSON
import System

/// The files that the restoration of a backup writes.
struct Restoration {
    private struct File {
        let path: String
        let text: String
        let mode: mode_t
    }

    /// The end of the names of files that are kept.
    static let kept = ".before-restore"

    private let configuration: [File]
    private let state: [File]
    private let stateFolder: String
    private let backup: BackupFile

    /// Checks the configuration of a backup and lists the files to write.
    ///
    /// - Parameters:
    ///   - backup: The backup.
    ///   - folder: The folder for the configuration; nil: the paths in the backup.
    /// - Throws: `Failure` with the status `badConfiguration` if the configuration has mistakes.
    init(of backup: BackupFile, to folder: String?) throws(Failure) {
        self.backup = backup
        configuration = backup.files.map { file in
            File(path: folder.map { "\($0)/\(file.place)" } ?? file.path, text: file.text, mode: 0o640)
        }
        let places = zip(configuration, backup.files).map { (path: $0.path, text: $0.text, place: $1.place) }
        stateFolder = try Self.check(places).stateDirectory
        state = backup.state.map { [stateFolder] name, json in
            File(path: "\(stateFolder)/\(name)", text: json.description + "\n", mode: 0o600)
        }
    }

    /// Reads the configuration in a temporary folder, with the names of files that messages contain.
    private static func check(
        _ files: [(path: String, text: String, place: String)]
    ) throws(Failure) -> Configuration {
        do throws(SystemError) {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            var names: [String: String] = [:]
            for file in files {
                let path = "\(folder.path)/\(file.place)"
                names[path] = file.path
                try Folder.create(Folder.parent(of: path), mode: 0o700)
                try TextFile.write(file.text, to: path)
            }
            do throws(ConfigurationError) {
                return try Configuration(file: "\(folder.path)/\(files[0].place)")
            } catch {
                let mistakes = error.mistakes.map { mistake in
                    Mistake(
                        file: names[mistake.file] ?? mistake.file, position: mistake.position, message: mistake.message)
                }
                throw SystemError(
                    "the configuration in the backup has mistakes\n"
                        + mistakes.map(\.text).joined(separator: "\n"))
            }
        } catch {
            throw Failure(.badConfiguration, "\(error)")
        }
    }

    /// The files that are written, one per line.
    var plan: [String] {
        let devices = backup.state.first { $0.name == Roster.fileName }.map { Roster($0.json).added.count } ?? 0
        let origin = "gateway \(backup.gateway ?? "unknown"), version \(backup.version ?? "unknown")"
        return [
            "the backup of \(origin.printable) is valid: \(devices) device\(devices == 1 ? "" : "s") added at run time"
        ]
            + (configuration + state).map { "would write \($0.path.printable)" }
    }

    /// Writes all files; the old ones are kept.
    ///
    /// - Returns: The actions, one per line.
    /// - Throws: `Failure` with the status `unavailable` if a bridge uses the state, `noPermission` if a file cannot be
    ///   written. Files that were already replaced are then restored.
    func write() throws(Failure) -> [String] {
        try createFolders()
        let lock = try Self.lock(stateFolder)
        defer { withExtendedLifetime(lock) {} }
        let files = configuration + state
        var done: [(file: File, isReplaced: Bool)] = []
        do throws(SystemError) {
            // All contents are on the disk before the first file is replaced.
            for file in files { try Self.prepare(file) }
            for file in files {
                let isReplaced = try Self.keep(file)
                done.append((file, isReplaced))
                guard unsafe rename(file.path + ".new", file.path) == 0 else {
                    throw SystemError("cannot write \(file.path)", errno)
                }
            }
            let others = try keepOtherState()
            return done.map { file, isReplaced in
                "wrote \(file.path.printable)"
                    + (isReplaced ? "; the old one is \(file.path.printable)\(Self.kept)" : "")
            } + others.map { "moved \($0.printable) to \($0.printable)\(Self.kept): it is not in the backup" }
                + ["start the bridge: sudo systemctl start bluefleet"]
        } catch {
            for file in files { unsafe unlink(file.path + ".new") }
            for (file, isReplaced) in done {
                if isReplaced {
                    unsafe rename(file.path + Self.kept, file.path)
                } else {
                    unsafe unlink(file.path)
                }
            }
            throw Failure(error.isPermission ? .noPermission : .unavailable, "\(error): nothing was restored")
        }
    }

    private func createFolders() throws(Failure) {
        for folder in Set((configuration + state).map { Folder.parent(of: $0.path) }).sorted() {
            do throws(SystemError) {
                try Folder.create(folder, mode: 0o750)
            } catch {
                throw Failure(error.isPermission ? .noPermission : .unavailable, "\(error): nothing was restored")
            }
        }
    }

    private static func lock(_ folder: String) throws(Failure) -> FolderLock {
        do throws(FolderLock.Obstacle) {
            return try FolderLock(folder)
        } catch {
            switch error {
            case .held(let holder):
                throw Failure(folder, heldBy: holder, advice: "stop that bridge: sudo systemctl stop bluefleet")
            case .system(let error):
                throw Failure(error.isPermission ? .noPermission : .unavailable, "\(error): nothing was restored")
            }
        }
    }

    /// Writes the new contents of a file beside it, with the owner and the permissions of the old file.
    private static func prepare(_ file: File) throws(SystemError) {
        let new = file.path + ".new"
        // The owner of the state folder could have put a link in the place of the new file.
        try PrivateFile.write(file.text, to: new, isSynced: true)
        let descriptor = try PrivateFile.open(new, O_WRONLY, to: "write")
        defer { close(descriptor) }
        var old = stat()
        let exists = unsafe stat(file.path, &old) == 0
        _ = fchmod(descriptor, exists ? old.st_mode & 0o777 : file.mode)
        // As root, the files would otherwise belong to root, and the bridge could not read them.
        if !exists { _ = unsafe stat(Folder.parent(of: file.path), &old) }
        if geteuid() == 0 {
            _ = fchown(descriptor, exists ? old.st_uid : (file.mode == 0o600 ? old.st_uid : 0), old.st_gid)
        }
    }

    /// Keeps the old contents under another name; returns whether there were any.
    private static func keep(_ file: File) throws(SystemError) -> Bool {
        guard unsafe rename(file.path, file.path + kept) != 0 else { return true }
        guard errno == ENOENT else { throw SystemError("cannot keep \(file.path)", errno) }
        return false
    }

    /// Sets aside the files of the state that the backup does not have: they belong to another state.
    private func keepOtherState() throws(SystemError) -> [String] {
        let names = Set(backup.state.map(\.name))
        var moved: [String] = []
        for name in Folder.names(in: stateFolder) where name.hasSuffix(".json") && !names.contains(name) {
            let path = "\(stateFolder)/\(name)"
            guard unsafe rename(path, path + Self.kept) == 0 else { throw SystemError("cannot move \(path)", errno) }
            moved.append(path)
        }
        return moved.sorted()
    }
}

extension SystemError {
    /// Whether a permission is missing.
    var isPermission: Bool { [EACCES, EPERM, EROFS].contains(code ?? 0) }
}
