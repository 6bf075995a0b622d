import Codec
import Configuration

extension Format {
    static let option = Option(
        "format", value: "FIELDS",
        "the format, as in the configuration, instead of CHARACTERISTIC: '[{name: level, type: uint8}]', or a file "
            + "that contains it")

    /// The option of commands that access a characteristic of a device.
    static let accessOption = Option(
        option.name, value: "FIELDS",
        "the format of the value, as in the configuration: '[{name: level, type: uint8}]', or a file that contains it")

    /// Returns the format of the option, which is typed or in a file; nil if the option is missing.
    ///
    /// - Throws: `Failure` with all mistakes in the format.
    static func given(in arguments: Arguments) throws(Failure) -> Format? {
        guard let text = arguments[option] else { return nil }
        guard FieldType(text) == nil else {
            throw Failure(.usage, "--format: expected fields such as '[{name: level, type: \(text)}]', found '\(text)'")
        }
        do throws(ConfigurationError) {
            // A list in flow or block style, or a single field; any other text is a path.
            let isYAML = ["[", "- ", "{"].contains(where: text.hasPrefix)
            return try isYAML ? kind.read(yaml: text, file: "--format") : kind.read(file: text)
        } catch {
            throw Failure(.badConfiguration, error.text)
        }
    }
}
