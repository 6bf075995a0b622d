import Codec
import Configuration
import Glibc
import System

/// `bluefleet profile copy`: copies a profile, so that it can be changed.
struct CopyProfile: Command {
    static let name = "profile"
    static let summary = "copies a profile into a file, which can then be changed"
    static let details = [
        """
        As profiles/MAKER/MODEL.yaml in the folder of the configuration, the copy replaces the shipped profile. It then stays as \
        it is: bluefleet check reports a newer shipped version.
        """
    ]
    static let operands = [action, profile, file]
    static let options = [Option.config]
    static let examples = ["bluefleet profile copy jbd/battery /etc/bluefleet/profiles/jbd/battery.yaml"]

    private static let action = Operand("copy", "the action")
    private static let profile = Operand("NAME", "the name of the profile, as bluefleet profiles lists it")
    private static let file = Operand("FILE", "the new file")

    private let path: String
    private let file: String

    init(_ arguments: Arguments) throws(Failure) {
        guard arguments[Self.action] == "copy" else {
            throw Failure(
                .usage,
                "expected copy, found \(arguments[Self.action].quotedForMessage): bluefleet profiles shows profiles")
        }
        let library = ProfileLibrary(beside: ConfigurationFile(arguments).path)
        path = try library.loaded(arguments[Self.profile]).path
        file = arguments[Self.file]
    }

    func run() throws(Failure) {
        guard unsafe access(file, F_OK) != 0 else {
            throw Failure(.unavailable, "\(file.printable) exists already: name another file, or remove it")
        }
        do throws(SystemError) {
            let text = String(decoding: try TextFile.bytes(of: path), as: UTF8.self)
            try Folder.create(Folder.parent(of: file))
            try TextFile.write(text, to: file)
        } catch {
            throw Failure(error.isPermission ? .noPermission : .unavailable, "\(error)")
        }
    }
}
