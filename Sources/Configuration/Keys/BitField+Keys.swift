import Codec

extension Configuration {
    /// Named bits in the file, and how Home Assistant shows their values.
    struct BitEntry {
        var field: BitField
        var label: FieldLabel?
    }
}

extension BitField {
    /// The form of the values, as far as it is known without the range: a single bit is a boolean.
    private var probableForm: Quantity.Form {
        if let values = meaning.values { return .named(values.names) }
        return isSigned || meaning.scale != 1 || meaning.offset != 0 || unit != nil ? .number : .boolean
    }

    private enum Keys {
        static let name = Key(
            required: "name", .text, example: "level", "The name of the value in the reading.")
        static let signed = Key(
            "signed", .boolean, default: "false", example: "true",
            "Whether the bits are a signed number (two's complement).")
        static let section = Section(
            "bits", name, signed, Field.Keys.scale, Field.Keys.offset, Field.Keys.unit, Field.Keys.unknown,
            Field.Keys.values, Field.Keys.hidden, Configuration.FieldLabel.Keys.deviceClass,
            Configuration.FieldLabel.Keys.stateClass, Configuration.FieldLabel.Keys.precision)
    }

    /// A bit or a range of bits with further properties.
    ///
    /// The range is the key in the enclosing mapping.
    static let kind = Kind<Configuration.BitEntry>.mapping(Keys.section) { reader in
        var field = BitField(reader[Keys.name] ?? "", 0...0)
        field.isSigned = reader[Keys.signed]
        field.scale = reader[Field.Keys.scale]
        field.offset = reader[Field.Keys.offset]
        field.unit = reader[Field.Keys.unit]
        field.unknown = reader[Field.Keys.unknown]
        field.values = reader[Field.Keys.values]
        field.isShown = !reader[Field.Keys.hidden]
        let label = Configuration.FieldLabel(reader)
        label?.check(field.probableForm, unit: field.unit, reader)
        return Configuration.BitEntry(field: field, label: label)
    }
}
