import System

extension Kind {
    /// Reads a YAML file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - checkingFiles: Whether the files named in the YAML file must exist and have valid contents.
    ///   - toleratingMissingFiles: Whether a problem with a file named in the YAML file is only a warning.
    /// - Returns: The value of the file.
    /// - Throws: `ConfigurationError` with all mistakes.
    package func read(
        file path: String, checkingFiles: Bool = false, toleratingMissingFiles: Bool = false
    ) throws(ConfigurationError) -> Value {
        let mistakes = Mistakes(in: path, checksFiles: checkingFiles, toleratesMissingFiles: toleratingMissingFiles)
        return try read(yaml: Self.content(of: path), mistakes)
    }

    private static func content(of path: String) throws(ConfigurationError) -> [UInt8] {
        do throws(SystemError) {
            return try TextFile.bytes(of: path, limit: YAMLParser.Limit.bytes)
        } catch {
            let mistake = Mistake(file: path, position: nil, message: "cannot read the file: \(error.reason)")
            throw ConfigurationError(mistakes: [mistake], warnings: [])
        }
    }

    /// Reads a YAML text.
    ///
    /// `file` is the name of the text in messages.
    ///
    /// - Throws: `ConfigurationError` with all mistakes.
    package func read(
        yaml text: String, file: String, checkingFiles: Bool = false
    ) throws(ConfigurationError) -> Value {
        try read(yaml: Array(text.utf8), Mistakes(in: file, checksFiles: checkingFiles))
    }

    private func read(yaml bytes: [UInt8], _ mistakes: Mistakes) throws(ConfigurationError) -> Value {
        var value: Value?
        do throws(YAMLError) {
            value = read(try YAMLParser.parse(bytes), mistakes)
        } catch {
            mistakes.report(error.message, at: error.position)
        }
        guard let value, mistakes.isEmpty else {
            throw ConfigurationError(mistakes: mistakes.sorted, warnings: mistakes.warnings)
        }
        return value
    }
}
