import Codec
import Configuration

extension Configuration.Characteristic {
    /// The format of the characteristic's values: as configured, else from the Bluetooth SIG; nil if there is none.
    var meaning: Format? {
        format ?? Characteristics.definition(of: uuid)?.format
    }

    /// The names of the fields of the characteristic's values.
    var fieldNames: [String] { meaning?.quantities.map(\.name) ?? [] }
}
