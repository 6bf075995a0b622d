import Codec
import Configuration

extension Configuration.Characteristic {
    /// The format of the characteristic's values: as configured, else from the Bluetooth SIG; nil if there is none.
    var meaning: Format? {
        format ?? Characteristics.definition(of: uuid)?.format
    }
}
