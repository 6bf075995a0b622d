package import Configuration

/// The configuration files of a running gateway.
package struct ConfigurationSource: Sendable {
    /// Loads the configuration again.
    let load: @Sendable () throws(ConfigurationError) -> Configuration
    /// Returns the texts of the files, by their paths; files that cannot be read are left out.
    let texts: @Sendable () -> [String: String]

    package init(
        load: @escaping @Sendable () throws(ConfigurationError) -> Configuration,
        texts: @escaping @Sendable () -> [String: String] = { [:] }
    ) {
        self.load = load
        self.texts = texts
    }

    /// The files of a gateway that only decides.
    package var ofDecider: ConfigurationSource {
        ConfigurationSource(load: { [load] () throws(ConfigurationError) in try load().ofDecider }, texts: texts)
    }
}
