internal import Configuration

/// The configuration's file on this machine.
struct ConfigurationFile {
    /// Where it is looked for when no other place is named.
    static let standard = "/etc/bluefleet/bluefleet.yaml"

    let path: String

    init(_ arguments: Arguments) {
        path = arguments[Option.config] ?? Self.standard
    }

    /// The configuration, with all files that it names in their places.
    func read() throws(ConfigurationError) -> Configuration {
        try Configuration(file: path, checkingFiles: true)
    }
}
