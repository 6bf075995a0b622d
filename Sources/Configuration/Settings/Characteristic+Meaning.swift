package import Codec

extension Configuration.Characteristic {
    /// The format of the characteristic's values: as configured, else from the Bluetooth SIG; nil if there is none.
    package var meaning: Format? {
        format ?? Characteristics.definition(of: uuid)?.format
    }
}
