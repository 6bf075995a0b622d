/// An option of a command, with or without a value: `--config FILE`, `--json`.
struct Option {
    /// The name without the dashes.
    let name: String
    /// The name of the value in the help; nil for an option without a value.
    let value: String?
    let summary: String

    init(_ name: String, value: String? = nil, _ summary: String) {
        self.name = name
        self.value = value
        self.summary = summary
    }

    /// The option in the form in which it is typed: `--config FILE`.
    var usage: String {
        "--\(name)" + (value.map { " \($0)" } ?? "")
    }

    /// The message about a missing value, after the name of the option.
    var missingValue: String {
        value == "DURATION" ? "needs a duration, e.g. --\(name) 30s" : "needs a value: \(usage)"
    }
}

extension Option {
    static let help = Option("help", "print this help")
    static let json = Option("json", "print the result as JSON")
    static let config = Option(
        "config", value: "FILE", "the configuration (default: \(ConfigurationFile.standard))")
}
