extension Configuration {
    /// Reads and checks a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - checkingFiles: Whether the files named in it, e.g. `password_file`, must exist and have valid contents.
    ///   - toleratingMissingFiles: Whether a problem with a file named in the file is only a warning.
    /// - Throws: `ConfigurationError` with all mistakes.
    package init(
        file path: String, checkingFiles: Bool = false, toleratingMissingFiles: Bool = false
    ) throws(ConfigurationError) {
        self = try Self.kind.read(
            file: path, checkingFiles: checkingFiles, toleratingMissingFiles: toleratingMissingFiles)
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
