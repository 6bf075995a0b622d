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

    /// What to do now, to end the sentence that tells that something is wrong; empty where there is such a file.
    var advice: String {
        isMissing ? "; bluefleet help --example prints one to begin with" : ""
    }

    /// The command that mends what is wrong with it, or tells more about that.
    var remedy: String {
        if isMissing { return "bluefleet help --example | sudo tee \(path)" }
        return unsafe access(path, R_OK) == 0 ? "bluefleet check --config \(path)" : "sudo chmod a+r \(path)"
    }

    private var isMissing: Bool { unsafe access(path, F_OK) != 0 && errno == ENOENT }

    /// The configuration, with all files that it names in their places.
    func read() throws(ConfigurationError) -> Configuration {
        try Configuration(file: path, checkingFiles: true)
    }
}
