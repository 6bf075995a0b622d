import Codec

extension Configuration {
    /// Named bits in the file, and how Home Assistant shows their values.
    struct BitEntry {
        var field: BitField
        var label: FieldLabel?
        /// The least and the greatest value that can be written; nil: the limit of the bits.
        var least: Decimal?
        var greatest: Decimal?
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
            Field.Keys.values, Field.Keys.least, Field.Keys.greatest, Configuration.FieldLabel.Keys.step,
            Field.Keys.hidden, Configuration.FieldLabel.Keys.deviceClass, Configuration.FieldLabel.Keys.stateClass,
            Configuration.FieldLabel.Keys.precision, Configuration.EntityLabel.Keys.title,
            Configuration.EntityLabel.Keys.icon, Configuration.EntityLabel.Keys.enabled)
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
        let label = Configuration.FieldLabel(ofField: reader)
        label?.check(field.isShown ? field.probableForm : nil, unit: field.unit, reader)
        return Configuration.BitEntry(
            field: field, label: label, least: reader[Field.Keys.least], greatest: reader[Field.Keys.greatest])
    }
}
