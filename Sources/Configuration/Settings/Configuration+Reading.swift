import System

extension Configuration {
    /// Reads and checks a file, and the files `conf.d/*.yaml` in its folder, which add to it or override it.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - checkingFiles: Whether the files named in them, e.g. `password_file`, must exist and have valid contents.
    ///   - toleratingMissingFiles: Whether a problem with a file named in the files is only a warning.
    ///   - environment: Environment variables, which replace keys of the files (`EnvironmentVariable`).
    /// - Throws: `ConfigurationError` with all mistakes.
    package init(
        file path: String, checkingFiles: Bool = false, toleratingMissingFiles: Bool = false,
        environment: [String: String] = [:]
    ) throws(ConfigurationError) {
        self = try Self.kind.read(
            file: path, and: Self.additions(to: path), checkingFiles: checkingFiles,
            toleratingMissingFiles: toleratingMissingFiles, environment: environment)
        warnings += Self.additions(to: path, endingWith: ".yml").map { file in
            let message = "the file is ignored: only files with names that end with .yaml are read; rename it"
            return Mistake(file: file, position: nil, message: message)
        }
    }

    /// Creates the configuration of environment variables alone (`EnvironmentVariable`).
    ///
    /// - Throws: `ConfigurationError` with all mistakes.
    package init(environment: [String: String]) throws(ConfigurationError) {
        self = try Self.kind.read(environment: environment)
    }

    /// Returns the paths of the files `conf.d/*.yaml` in the folder of a file, sorted by name.
    package static func additions(to path: String) -> [String] { additions(to: path, endingWith: ".yaml") }

    private static func additions(to path: String, endingWith suffix: String) -> [String] {
        let folder = (path.lastIndex(of: "/").map { String(path[...$0]) } ?? "") + "conf.d"
        return Folder.names(in: folder).filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }
            .map { "\(folder)/\($0)" }
    }

    /// Reads and checks a text.
    ///
    /// `file` is the name of the text in messages.
    ///
    /// - Throws: `ConfigurationError` with all mistakes.
    package init(
        yaml text: String, file: String = "bluefleet.yaml", checkingFiles: Bool = false
    ) throws(ConfigurationError) {
        self = try Self.kind.read(yaml: text, file: file, checkingFiles: checkingFiles)
    }
}
