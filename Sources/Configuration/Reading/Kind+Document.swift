import System

extension Kind {
    /// Reads a YAML file, and further files that add to it, like further documents of one file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - additions: The paths of the further files.
    ///   - checkingFiles: Whether the files named in the YAML files must exist and have valid contents.
    ///   - toleratingMissingFiles: Whether a problem with a file named in the YAML files is only a warning.
    ///   - environment: Environment variables, which replace keys of the files (`EnvironmentVariable`).
    /// - Returns: The value of the files.
    /// - Throws: `ConfigurationError` with all mistakes.
    package func read(
        file path: String, and additions: [String] = [], checkingFiles: Bool = false,
        toleratingMissingFiles: Bool = false, environment: [String: String] = [:]
    ) throws(ConfigurationError) -> Value {
        let paths = [path] + additions
        let variables = self.variables(in: environment)
        let mistakes = Mistakes(
            in: paths + variables.map(\.name), checksFiles: checkingFiles,
            toleratesMissingFiles: toleratingMissingFiles)
        var contents: [[UInt8]] = []
        for path in paths { contents.append(try Self.content(of: path)) }
        return try read(yaml: contents, variables, mistakes)
    }

    /// Reads environment variables alone, without a file.
    ///
    /// - Throws: `ConfigurationError` with all mistakes.
    package func read(environment: [String: String]) throws(ConfigurationError) -> Value {
        let variables = self.variables(in: environment)
        let mistakes = Mistakes(
            in: ["environment"] + variables.map(\.name), checksFiles: false, toleratesMissingFiles: false)
        return try read(yaml: [[]], variables, mistakes)
    }

    /// Returns the variables for this file, without empty ones, sorted by name.
    ///
    /// Their names begin with `BLUEFLEET_` and the first word of a key: other programs may use the prefix too.
    private func variables(in environment: [String: String]) -> [(name: String, text: String)] {
        let words = Set((section?.rows ?? []).map { $0.name.prefix { $0 != "_" }.uppercased() })
        return environment.filter { variable in
            guard variable.key.hasPrefix(EnvironmentVariable.prefix), !variable.value.isEmpty else { return false }
            let rest = variable.key.dropFirst(EnvironmentVariable.prefix.count)
            return words.contains(String(rest.prefix { $0 != "_" }))
        }
        .sorted { $0.key < $1.key }.map { (name: $0.key, text: $0.value) }
    }

    /// Returns the nodes of the variables, whose files follow those of the file system.
    private func nodes(
        of variables: [(name: String, text: String)], after files: Int, _ mistakes: Mistakes
    ) -> [YAMLNode] {
        let known = section.map { EnvironmentVariable.all(of: $0) } ?? []
        return variables.enumerated().compactMap { index, variable in
            let position = Position(file: files + index, line: 1, column: 1)
            guard let meant = known.first(where: { $0.name == variable.name }) else {
                let nearest = variable.name.nearest(in: known.map(\.name))
                let advice = nearest.map { "did you mean \($0)?" } ?? "bluefleet help --configuration lists all"
                mistakes.warn("the environment variable has no effect: \(advice)", at: position)
                return nil
            }
            do throws(YAMLError) {
                return try meant.node(variable.text, file: position.file)
            } catch {
                mistakes.report(error.message, at: error.position)
                return nil
            }
        }
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
        try read(yaml: [Array(text.utf8)], [], Mistakes(in: file, checksFiles: checkingFiles))
    }

    private func read(
        yaml files: [[UInt8]], _ variables: [(name: String, text: String)], _ mistakes: Mistakes
    ) throws(ConfigurationError) -> Value {
        var roots: [YAMLNode] = []
        for (index, bytes) in files.enumerated() {
            do throws(YAMLError) {
                roots.append(try YAMLParser.parse(bytes, file: index))
            } catch {
                mistakes.report(error.message, at: error.position)
            }
        }
        let overrides = nodes(of: variables, after: files.count, mistakes)
        var value: Value?
        // Without the contents of one file, correct entries of the other files would appear to be mistakes.
        if mistakes.isEmpty {
            do throws(YAMLError) {
                let root = try YAMLNode(joiningFiles: roots)
                value = read(overrides.reduce(root) { $1.overriding($0, inherits: false) }, mistakes)
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
