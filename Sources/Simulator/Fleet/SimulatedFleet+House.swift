import CEmbeddedFiles
package import Configuration

extension SimulatedFleet {
    /// The text of `config/fleets/house.yaml`, the small house of `bluefleet demo`.
    package static var houseText: String { unsafe String(cString: house_yaml()) }

    /// Reads a fleet file.
    ///
    /// - Throws: `ConfigurationError` with all mistakes in the file.
    package static func read(file path: String) throws(ConfigurationError) -> SimulatedFleet {
        try kind.read(file: path)
    }

    /// Reads the text of a fleet file.
    ///
    /// - Parameters:
    ///   - text: The text in YAML.
    ///   - name: The file's name in error messages.
    /// - Returns: The fleet.
    /// - Throws: `ConfigurationError` with all mistakes in the text.
    package static func read(yaml text: String, name: String) throws(ConfigurationError) -> SimulatedFleet {
        try kind.read(yaml: text, file: name)
    }

    /// Returns the small house of `bluefleet demo`.
    package static func house() throws(ConfigurationError) -> SimulatedFleet {
        try read(yaml: houseText, name: "house.yaml")
    }
}
