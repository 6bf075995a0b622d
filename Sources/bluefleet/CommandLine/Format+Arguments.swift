internal import Codec
internal import Configuration

extension Format {
    static let option = Option(
        "format", value: "FIELDS",
        "the layout, as a configuration has it, in place of the characteristic: '[{name: level, type: uint8}]', or the "
            + "file that holds it")

    /// The format that was typed, or that a file holds; nil when none was given.
    ///
    /// - Throws: `Failure` with all that is wrong with it.
    static func given(in arguments: Arguments) throws(Failure) -> Format? {
        guard let text = arguments[option] else { return nil }
        do throws(ConfigurationError) {
            // A list in either of YAML's two ways, or a field without its list, or else a path.
            let isYAML = ["[", "- ", "{"].contains(where: text.hasPrefix)
            return try isYAML ? kind.read(yaml: text, file: "--format") : kind.read(file: text)
        } catch {
            throw Failure(.badConfiguration, error.text)
        }
    }
}
