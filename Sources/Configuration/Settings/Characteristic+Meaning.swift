package import Codec

extension Configuration.Characteristic {
    /// The format of the characteristic's values: as configured, else from the Bluetooth SIG; nil if there is none.
    package var meaning: Format? {
        format ?? Characteristics.definition(of: uuid)?.format
    }

    /// The format of the values that a client writes: that of the question of a command, else that of the values.
    package var writtenFormat: Format? {
        guard write != nil, case .format(let format, _)? = exchange?.question?.content else { return meaning }
        return format
    }
}
