extension Configuration {
    /// Reads and checks a file; the error holds all of its mistakes.
    ///
    /// - Parameter checkingFiles: Whether the files that it names (`password_file` and the like) must be readable.
    package init(file path: String, checkingFiles: Bool = false) throws(ConfigurationError) {
        self = try Self.kind.read(file: path, checkingFiles: checkingFiles)
    }

    /// Reads and checks a file, and tells what is wrong with the files that it names.
    ///
    /// - Throws: all mistakes of the file itself.
    package static func readWithFileMistakes(
        _ path: String
    ) throws(ConfigurationError) -> (configuration: Configuration, fileMistakes: [Mistake]) {
        let (configuration, fileMistakes) = try kind.readWithFileMistakes(path)
        return (configuration, fileMistakes)
    }

    /// Reads and checks a text; `file` is what its mistakes call it.
    package init(
        yaml text: String, file: String = "bluefleet.yaml", checkingFiles: Bool = false
    ) throws(ConfigurationError) {
        self = try Self.kind.read(yaml: text, file: file, checkingFiles: checkingFiles)
    }
}
