package import Configuration

extension Fleet {
    /// The text of `config/fleets/house.yaml`: a small house, which the demonstration plays from any folder.
    package static var houseText: String { String(decoding: PackageResources.house_yaml, as: UTF8.self) }

    /// The fleet that a file describes.
    ///
    /// - Throws: `ConfigurationError` with every mistake in it.
    package static func read(file path: String) throws(ConfigurationError) -> Fleet {
        try kind.read(file: path)
    }

    /// The fleet that a text describes; `name` is what its mistakes call it.
    package static func read(yaml text: String, name: String) throws(ConfigurationError) -> Fleet {
        try kind.read(yaml: text, file: name)
    }

    /// The small house.
    package static func house() throws(ConfigurationError) -> Fleet {
        try read(yaml: houseText, name: "house.yaml")
    }
}
