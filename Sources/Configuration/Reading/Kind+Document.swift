extension Kind {
    /// The value that a whole YAML file holds.
    ///
    /// - Parameters:
    ///   - checkingFiles: Whether files that it names must exist and be readable.
    ///   - excusingFiles: Whether those that are not are only warned of.
    package func read(
        file path: String, checkingFiles: Bool = false, excusingFiles: Bool = false
    ) throws(ConfigurationError) -> Value {
        let mistakes = Mistakes(in: path, checksFiles: checkingFiles, excusesFiles: excusingFiles)
        return try read(yaml: Self.content(of: path), mistakes)
    }

    private static func content(of path: String) throws(ConfigurationError) -> [UInt8] {
        do throws(FileError) {
            return try readFile(path, limit: YAMLParser.Limit.bytes)
        } catch {
            let mistake = Mistake(file: path, position: nil, message: error.message)
            throw ConfigurationError(mistakes: [mistake], warnings: [])
        }
    }

    /// The value that a YAML text holds; `file` is what its mistakes call it.
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
