extension Configuration {
    /// Reads and checks a file; the error holds all of its mistakes.
    ///
    /// - Parameters:
    ///   - checkingFiles: Whether the files that it names (`password_file` and the like) must be readable.
    ///   - excusingFiles: Whether those that are not are only warned of.
    package init(
        file path: String, checkingFiles: Bool = false, excusingFiles: Bool = false
    ) throws(ConfigurationError) {
        self = try Self.kind.read(file: path, checkingFiles: checkingFiles, excusingFiles: excusingFiles)
    }

    /// Reads and checks a text; `file` is what its mistakes call it.
    package init(
        yaml text: String, file: String = "bluefleet.yaml", checkingFiles: Bool = false
    ) throws(ConfigurationError) {
        self = try Self.kind.read(yaml: text, file: file, checkingFiles: checkingFiles)
    }
}
