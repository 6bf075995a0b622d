extension Kind {
    /// The value that a whole YAML file holds.
    ///
    /// - Parameter checkingFiles: Whether files that it names must exist and be readable.
    package func read(file path: String, checkingFiles: Bool = false) throws(ConfigurationError) -> Value {
        try read(yaml: Self.content(of: path), Mistakes(in: path, checksFiles: checkingFiles))
    }

    /// The value that a whole YAML file holds, and what is wrong with files that it names. It is read once: a pipe holds
    /// it only once.
    package func readWithFileMistakes(
        _ path: String
    ) throws(ConfigurationError) -> (value: Value, fileMistakes: [Mistake]) {
        let bytes = try Self.content(of: path)
        let value = try read(yaml: bytes, Mistakes(in: path))
        do throws(ConfigurationError) {
            return (try read(yaml: bytes, Mistakes(in: path, checksFiles: true)), [])
        } catch {
            return (value, error.mistakes)
        }
    }

    private static func content(of path: String) throws(ConfigurationError) -> [UInt8] {
        do throws(FileError) {
            return try readFile(path, limit: YAMLParser.Limit.bytes)
        } catch {
            throw ConfigurationError(mistakes: [Mistake(file: path, position: nil, message: error.message)])
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
        guard let value, mistakes.isEmpty else { throw ConfigurationError(mistakes: mistakes.sorted) }
        return value
    }
}
