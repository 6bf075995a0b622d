import Configuration

/// The environment variables that replace keys of the configuration, for the reference.
enum EnvironmentTable {
    static var markdown: String {
        let rows = EnvironmentVariable.all(of: Configuration.reference).map { variable in
            "| `\(variable.name)` | `\(variable.path.joined(separator: ": "))` | `\(variable.row.example.forShell)` |"
        }
        let intro = """
            ## Environment variables

            An environment variable replaces the key in all files, e.g. in a container. An empty variable has no effect. \
            `bluefleet check` warns about an unknown one that begins with `BLUEFLEET_` and the first word of a key. \
            Passwords and keys are in files.

            | variable | key | e.g. |
            |---|---|---|
            """
        return ([intro] + rows).joined(separator: "\n")
    }
}

extension String {
    /// An example of YAML without its quotation marks: a variable is not YAML.
    fileprivate var forShell: String {
        hasPrefix("\"") && hasSuffix("\"") && count > 1 ? String(dropFirst().dropLast()) : self
    }
}
