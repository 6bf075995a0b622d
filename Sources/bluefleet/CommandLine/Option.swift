/// A word with two dashes, alone or with a value: `--json`, `--config FILE`.
struct Option {
    /// Without the dashes.
    let name: String
    /// What help calls its value; nil for an option that stands alone.
    let value: String?
    let summary: String

    init(_ name: String, value: String? = nil, _ summary: String) {
        self.name = name
        self.value = value
        self.summary = summary
    }

    /// As a person types it: `--config FILE`.
    var usage: String {
        "--\(name)" + (value.map { " \($0)" } ?? "")
    }
}

extension Option {
    static let help = Option("help", "this text")
    static let json = Option("json", "the result as JSON, for programs")
    static let config = Option(
        "config", value: "FILE", "the configuration; without it \(ConfigurationFile.standard)")
}
