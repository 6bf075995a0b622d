internal import Codec
internal import Configuration

extension Configuration.Characteristic {
    /// What its bytes mean: as configured, or as the Bluetooth SIG laid down; nil where nobody has said.
    var meaning: Format? {
        format ?? Characteristics.definition(of: uuid)?.format
    }

    /// The names of the fields in its values.
    var fieldNames: [String] { meaning?.quantities.map(\.name) ?? [] }
}
