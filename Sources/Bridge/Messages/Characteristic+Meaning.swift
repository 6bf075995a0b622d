import Codec
import Configuration

extension Configuration.Characteristic {
    /// The format of its values that the configuration or the Bluetooth SIG specifies; nil if neither does.
    var meaning: Format? {
        format ?? Characteristics.definition(of: uuid)?.format
    }

    /// The names of the fields of its values.
    var fieldNames: [String] { meaning?.quantities.map(\.name) ?? [] }
}
