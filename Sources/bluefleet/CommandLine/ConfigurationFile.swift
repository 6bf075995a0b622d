import Bridge
import Codec
import Configuration
import Glibc
import System

/// The file of the configuration.
struct ConfigurationFile {
    /// The default path.
    static let standard = "/etc/bluefleet/bluefleet.yaml"

    let path: String

    /// The path without characters that would affect a terminal.
    var name: String { path.printable }

    /// The file as an argument without an option.
    static let operand = Operand(
        "FILE", "the configuration (default: \(standard)); files conf.d/*.yaml in its folder add to it",
        isOptional: true)

    init(_ arguments: Arguments) {
        path = arguments[Option.config] ?? Self.standard
    }

    /// Creates the file of a command with the operand `FILE`.
    ///
    /// - Throws: `Failure` if both `FILE` and `--config` are given.
    init(operandOf arguments: Arguments) throws(Failure) {
        let word = arguments[optional: Self.operand]
        if let word, arguments.contains(.config) {
            throw Failure(.usage, "\(word.quotedForMessage) and --config exclude each other: remove one")
        }
        path = word ?? arguments[Option.config] ?? Self.standard
    }

    /// Whether there is such a file, even if it is not readable.
    var exists: Bool {
        obstacle != ENOENT
    }

    /// Advice to append to an error message; empty if the file is readable.
    var advice: String {
        switch obstacle {
        case ENOENT: "; bluefleet help --example prints an example"
        case EACCES: ": \(permission)"
        default: ""
        }
    }

    /// The command that fixes the problem with the file, or shows more about it.
    var remedy: String {
        switch obstacle {
        case ENOENT: "bluefleet help --example | sudo tee \(name)"
        case EACCES: permission
        default: "bluefleet check \(name)"
        }
    }

    /// Returns the configuration for a command that needs it.
    ///
    /// - Throws: The `Failure` for a file that cannot be read or has mistakes.
    func load() throws(Failure) -> Configuration {
        do throws(ConfigurationError) {
            return try read()
        } catch {
            throw failure(error)
        }
    }

    /// Returns the failure of a command that cannot use the file.
    func failure(_ error: ConfigurationError) -> Failure {
        let status: ExitStatus = obstacle == EACCES ? .noPermission : .badConfiguration
        // A mistake without a position means that the file cannot be read.
        if let mistake = error.mistakes.first, mistake.position == nil {
            return Failure(status, "\(mistake.text)\(advice)")
        }
        return Failure(status, "the configuration has mistakes\n\(error.text)")
    }

    /// The command that makes the file readable, or shows which parent folder is not accessible.
    private var permission: String {
        unsafe access(path, F_OK) == 0 ? "sudo chmod a+r \(name)" : "namei -l \(name)"
    }

    /// The value of `errno` if the file is not readable; 0 if the file is readable.
    private var obstacle: Int32 {
        unsafe access(path, R_OK) == 0 ? 0 : errno
    }

    /// The paths of the files in `conf.d` that add to the file.
    var additions: [String] { Configuration.additions(to: path) }

    /// The file as the source of a running gateway, which reads it again at each reload.
    var source: ConfigurationSource {
        ConfigurationSource { () throws(ConfigurationError) in
            try read()
        } texts: {
            let paths = [path] + additions + ProfileLibrary(beside: path).ownPaths
            return Dictionary(uniqueKeysWithValues: paths.compactMap { path in TextFile.read(path).map { (path, $0) } })
        }
    }

    /// Reads the configuration.
    ///
    /// - Parameters:
    ///   - checkingFiles: Whether the files that it names must exist and have valid contents.
    ///   - toleratingMissingFiles: Whether a problem with such a file is only a warning.
    /// - Returns: The configuration.
    /// - Throws: `ConfigurationError` with all mistakes.
    func read(
        checkingFiles: Bool = true, toleratingMissingFiles: Bool = false
    ) throws(ConfigurationError) -> Configuration {
        try Configuration(
            file: path, checkingFiles: checkingFiles, toleratingMissingFiles: toleratingMissingFiles,
            environment: EnvironmentVariable.ofProcess)
    }

    /// Returns the configuration for a command that uses only the broker.
    ///
    /// - Parameter url: The address of the broker in place of the one in the file; the file may then be missing.
    /// - Returns: The configuration.
    /// - Throws: The `Failure` for a file that cannot be read or has mistakes, or for an invalid address.
    func loadBroker(url: String?) throws(Failure) -> Configuration {
        var environment = EnvironmentVariable.ofProcess
        if let url {
            do throws(InvalidValue) {
                _ = try BrokerEndpoint(url: url)
            } catch {
                throw Failure(.usage, "--url: \(error.message)")
            }
            environment[EnvironmentVariable.brokerURL] = url
        }
        let isOptional = environment[EnvironmentVariable.brokerURL] != nil && obstacle == ENOENT
        do throws(ConfigurationError) {
            return try isOptional
                ? Configuration(environment: environment) : Configuration(file: path, environment: environment)
        } catch {
            let failure = failure(error)
            guard obstacle == ENOENT else { throw failure }
            throw Failure(failure.status, (failure.message ?? "") + "; or name the broker: --url mqtt://HOST")
        }
    }
}

extension Mistake {
    /// The description without characters that would affect a terminal: the name of a file may contain such characters.
    var text: String { description.printable }
}

extension ConfigurationError {
    /// The mistakes, one per line.
    var text: String { mistakes.map(\.text).joined(separator: "\n") }
}
