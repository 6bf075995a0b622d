internal import Configuration
internal import Glibc

/// The configuration's file on this machine.
struct ConfigurationFile {
    /// Where it is looked for when no other place is named.
    static let standard = "/etc/bluefleet/bluefleet.yaml"

    let path: String

    /// Its path, as a line of a terminal can show it.
    var name: String { path.printable }

    init(_ arguments: Arguments) {
        path = arguments[Option.config] ?? Self.standard
    }

    /// What to do now, to end the sentence that tells that something is wrong; empty where the file can be read.
    var advice: String {
        switch obstacle {
        case ENOENT: "; bluefleet help --example prints one to begin with"
        case EACCES: ": \(permission)"
        default: ""
        }
    }

    /// The command that mends what is wrong with it, or tells more about that.
    var remedy: String {
        switch obstacle {
        case ENOENT: "bluefleet help --example | sudo tee \(name)"
        case EACCES: permission
        default: "bluefleet check --config \(name)"
        }
    }

    /// Why the bridge cannot be started with it.
    func failure(_ error: ConfigurationError) -> Failure {
        let status: ExitStatus = obstacle == EACCES ? .noPermission : .badConfiguration
        // A mistake without a place is about the file as a whole: there is nothing to read.
        if let mistake = error.mistakes.first, mistake.position == nil {
            return Failure(status, "\(mistake.text)\(advice)")
        }
        return Failure(status, "the configuration has mistakes\n\(error.text)")
    }

    /// The command that gives the right to read it, or tells which folder above it is closed.
    private var permission: String {
        unsafe access(path, F_OK) == 0 ? "sudo chmod a+r \(name)" : "namei -l \(name)"
    }

    /// The error for which it cannot be read; 0 where it can.
    private var obstacle: Int32 {
        unsafe access(path, R_OK) == 0 ? 0 : errno
    }

    /// The configuration, with all files that it names in their places.
    func read() throws(ConfigurationError) -> Configuration {
        try Configuration(file: path, checkingFiles: true)
    }
}
