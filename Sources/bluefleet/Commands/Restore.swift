import Bridge
import Codec
import Configuration
import Glibc
import JSON
import System

/// `bluefleet restore`: writes the files of a backup.
struct Restore: Command {
    static let name = "restore"
    static let summary = "restores a backup of the configuration and the state"
    static let details = [
        """
        FILE is the response to the request backup, or its member data. The configuration files are written to their \
        paths in the backup, the state to its state_directory. Nothing is written before everything has been checked. \
        Files that are replaced are kept, with .before-restore at the end of their names. Stop the bridge first. \
        Passwords, keys and bonds are not in a backup.
        """,
        """
        With --dry-run, everything is checked and the files are listed, and nothing is written. With --to FOLDER, the \
        configuration is written into that folder, with conf.d beside it.
        """,
    ]
    static let operands = [backup]
    static let options = [folder, dryRun]
    static let examples = [
        "sudo bluefleet restore backup.json --dry-run", "bluefleet restore backup.json --to ./restored",
    ]

    private static let backup = Operand("FILE", "the backup, as JSON; - for standard input")
    private static let folder = Option(
        "to", value: "FOLDER", "the folder for the configuration (default: the paths in the backup)")
    private static let dryRun = Option("dry-run", "check the backup and list the files, without writing")

    private let path: String
    private let folder: String?
    private let isDryRun: Bool

    init(_ arguments: Arguments) throws(Failure) {
        path = arguments[Self.backup]
        folder = arguments[Self.folder]
        isDryRun = arguments.contains(Self.dryRun)
    }

    func run() throws(Failure) {
        let backup = try BackupFile(path)
        let restoration = try Restoration(of: backup, to: folder)
        if isDryRun {
            for line in restoration.plan { StandardStream.output.print(line) }
            return
        }
        for line in try restoration.write() { StandardStream.output.print(line) }
    }
}
