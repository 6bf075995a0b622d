import System

extension Kind {
    /// Reads a YAML file, and further files that add to it, like further documents of one file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - additions: The paths of the further files.
    ///   - checkingFiles: Whether the files named in the YAML files must exist and have valid contents.
    ///   - toleratingMissingFiles: Whether a problem with a file named in the YAML files is only a warning.
    /// - Returns: The value of the files.
    /// - Throws: `ConfigurationError` with all mistakes.
    package func read(
        file path: String, and additions: [String] = [], checkingFiles: Bool = false,
        toleratingMissingFiles: Bool = false
    ) throws(ConfigurationError) -> Value {
        let paths = [path] + additions
        let mistakes = Mistakes(
            in: paths, checksFiles: checkingFiles, toleratesMissingFiles: toleratingMissingFiles)
        var contents: [[UInt8]] = []
        for path in paths { contents.append(try Self.content(of: path)) }
        return try read(yaml: contents, mistakes)
    }

    private static func content(of path: String) throws(ConfigurationError) -> [UInt8] {
        do throws(SystemError) {
            return try TextFile.bytes(of: path, limit: YAMLParser.Limit.bytes, waitingForPipe: .seconds(5))
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
        try read(yaml: [Array(text.utf8)], Mistakes(in: file, checksFiles: checkingFiles))
    }

    private func read(yaml files: [[UInt8]], _ mistakes: Mistakes) throws(ConfigurationError) -> Value {
        var roots: [YAMLNode] = []
        for (index, bytes) in files.enumerated() {
            do throws(YAMLError) {
                roots.append(try YAMLParser.parse(bytes, file: index))
            } catch {
                mistakes.report(error.message, at: error.position)
            }
        }
        var value: Value?
        // Without the contents of one file, correct entries of the other files would appear to be mistakes.
        if mistakes.isEmpty {
            do throws(YAMLError) {
                value = read(try YAMLNode(joining: roots), mistakes)
            } catch {
                mistakes.report(error.message, at: error.position)
            }
        }
        guard let value, mistakes.isEmpty else {
            throw ConfigurationError(mistakes: mistakes.sorted, warnings: mistakes.warnings)
        }
        return value
    }
}
